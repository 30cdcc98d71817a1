
// ---- What functions for programs in C need besides.

#include <stdarg.h>
#include <stdio.h>

// surge_describe says what ended a run, and returns its code: each % in the text of a check stands before the number of
// a value.
static inline int surge_describe(surge_error *error, const surge_run *run, const char *const *sites)
{
	int code = run->stop == SURGE_MEMORY ? SURGE_ERROR_MEMORY : SURGE_ERROR_CHECK;
	if (!error)
		return code;
	const char *text = run->stop == SURGE_MEMORY ? "there is no memory" : sites[run->site];
	size_t n = 0;
	for (; *text && n + 24 < sizeof error->text; text++)
		if (text[0] == '%' && text[1] >= '0' && text[1] <= '3')
			n += (size_t)snprintf(error->text + n, 24, "%lld", (long long)run->numbers[*++text - '0']);
		else
			error->text[n++] = *text;
	error->text[n] = 0;
	return code;
}

// surge_wrong says what is wrong with an argument, and returns the code.
static inline __attribute__((format(printf, 3, 4))) int surge_wrong(surge_error *error, int code, const char *format, ...)
{
	if (error) {
		va_list args;
		va_start(args, format);
		vsnprintf(error->text, sizeof error->text, format, args);
		va_end(args);
	}
	return code;
}

// surge_destination wants somewhere to put a result.
static inline int surge_destination(surge_error *error, const char *name, bool given)
{
	return given ? 0 : surge_wrong(error, SURGE_ERROR_NULL, "%s: NULL, and there is a result to put there", name);
}

// surge_column wants n elements.
static inline int surge_column(surge_error *error, const char *name, const void *p, int64_t n)
{
	if (n < 0)
		return surge_wrong(error, SURGE_ERROR_LENGTH, "%s: the length %lld is negative", name, (long long)n);
	if (!p && n > 0)
		return surge_wrong(error, SURGE_ERROR_NULL, "%s: NULL, and the length is %lld", name, (long long)n);
	return 0;
}

// surge_row_offsets wants n offsets that cut so many elements into rows.
static inline int surge_row_offsets(surge_error *error, const char *name, const int64_t *rows, int64_t n, int64_t elements)
{
	int code = surge_column(error, name, rows, n);
	if (code)
		return code;
	if (n == 0)
		return surge_wrong(error, SURGE_ERROR_OFFSETS, "%s: empty; r rows need r+1 offsets, so at least one", name);
	if (rows[0] != 0)
		return surge_wrong(error, SURGE_ERROR_OFFSETS, "%s: offset 0 is %lld, and rows begin at 0", name, (long long)rows[0]);
	for (int64_t i = 1; i < n; i++)
		if (rows[i] < rows[i - 1])
			return surge_wrong(error, SURGE_ERROR_OFFSETS, "%s: offset %lld is %lld, less than the one before, %lld", name, (long long)i, (long long)rows[i], (long long)rows[i - 1]);
	if (rows[n - 1] != elements)
		return surge_wrong(error, SURGE_ERROR_OFFSETS, "%s: the last offset is %lld, and there are %lld elements", name, (long long)rows[n - 1], (long long)elements);
	return 0;
}

// surge_same_length wants as many elements as another column of the same slice has.
static inline int surge_same_length(surge_error *error, const char *name, const char *other, int64_t n, int64_t as)
{
	return n == as ? 0 : surge_wrong(error, SURGE_ERROR_LENGTH, "%s: %lld elements, and %s has %lld", name, (long long)n, other, (long long)as);
}

// surge_same_rows wants rows as long as those of another column of the same slice, whose offsets are n.
static inline int surge_same_rows(surge_error *error, const char *name, const char *other, const int64_t *rows, const int64_t *as, int64_t n)
{
	for (int64_t i = 1; i < n; i++)
		if (rows[i] != as[i])
			return surge_wrong(error, SURGE_ERROR_OFFSETS, "%s: offset %lld is %lld, and that of %s is %lld", name, (long long)i, (long long)rows[i], other, (long long)as[i]);
	return 0;
}

// surge_allocate returns memory for n elements of so many bytes; where there is none, it ends the run.
static inline void *surge_allocate(surge_run *run, int64_t n, int64_t bytes)
{
	void *p = n >= 0 && n <= ((int64_t)1 << 46) / bytes ? calloc((size_t)surge_max_i64(n, 1), (size_t)bytes) : NULL;
	if (!p)
		run->stop = SURGE_MEMORY;
	return p;
}

static inline void *surge_copy(surge_run *run, const void *from, int64_t n, int64_t bytes)
{
	void *p = surge_allocate(run, n, bytes);
	if (p && n > 0)
		memcpy(p, from, (size_t)(n * bytes));
	return p;
}
