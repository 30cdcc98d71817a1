
// ---- What functions for programs in C need besides.

#include <stdio.h>

// surge_describe says what ended a run: each % in the text of a check stands before the number of a value.
static inline void surge_describe(surge_error *error, const surge_run *run, const char *const *sites)
{
	if (!error)
		return;
	const char *text = run->stop == SURGE_MEMORY ? "there is no memory" : sites[run->site];
	size_t n = 0;
	for (; *text && n + 24 < sizeof error->text; text++)
		if (text[0] == '%' && text[1] >= '0' && text[1] <= '3')
			n += (size_t)snprintf(error->text + n, 24, "%lld", (long long)run->numbers[*++text - '0']);
		else
			error->text[n++] = *text;
	error->text[n] = 0;
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
	if (p)
		memcpy(p, from, (size_t)(n * bytes));
	return p;
}
