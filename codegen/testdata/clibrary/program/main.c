// Calls the functions of kernels.go with good and with bad arguments. It prints what is not as it has to be, and exits
// with the number of such calls.
#include "kernels_surge_openmp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls, wrong;
static surge_error error;

static void expect(int line, int code, int want, const char *text)
{
	calls++;
	if (code == want && (!text || !strcmp(error.text, text)))
		return;
	wrong++;
	printf("line %d: code %d, not %d: %s\n", line, code, want, code ? error.text : "");
}

static void is(int line, double got, double want)
{
	if (got != want) {
		wrong++;
		printf("line %d: %g, not %g\n", line, got, want);
	}
}

#define GOOD(call) expect(__LINE__, call, 0, NULL)
#define BAD(want, text, call) expect(__LINE__, call, SURGE_ERROR_##want, text)
#define IS(got, want) is(__LINE__, got, want)

int main(void)
{
	// Memory of just the size that is said, so that a sanitizer sees each read behind it.
	double *x = malloc(3 * sizeof *x), *y = malloc(3 * sizeof *y), *result = NULL, one[1];
	x[0] = 1, x[1] = 2, x[2] = 3, y[0] = 4, y[1] = 5, y[2] = 6;
	int64_t *rows = malloc(3 * sizeof *rows), *other = malloc(3 * sizeof *other), n = 0, *cut = NULL, cuts = 0;
	rows[0] = 0, rows[1] = 1, rows[2] = 3, other[0] = 0, other[1] = 2, other[2] = 3;

	GOOD(Norms(x, 3, y, 3, &result, &n, &error));
	IS(n, 3), IS(result[2], 45);
	free(result);
	GOOD(Norms(NULL, 0, NULL, 0, &result, &n, &error));
	IS(n, 0);
	free(result);
	result = one;
	BAD(LENGTH, "Norms: ps_Y: 2 elements, and ps_X has 3", Norms(x, 3, y, 2, &result, &n, &error));
	IS(result == NULL, 1), IS(n, 0);
	BAD(LENGTH, "Norms: ps_X: the length -1 is negative", Norms(x, -1, y, 3, &result, &n, &error));
	BAD(LENGTH, "Norms: ps_Y: the length -9223372036854775808 is negative", Norms(x, 3, y, INT64_MIN, &result, &n, &error));
	BAD(NULL, "Norms: ps_Y: NULL, and the length is 3", Norms(x, 3, NULL, 3, &result, &n, &error));
	BAD(NULL, "Norms: result: NULL, and there is a result to put there", Norms(x, 3, y, 3, NULL, &n, &error));
	BAD(NULL, "Norms: result: NULL, and there is a result to put there", Norms(x, 3, y, 3, &result, NULL, &error));
	expect(__LINE__, Norms(x, 3, NULL, 3, &result, &n, NULL), SURGE_ERROR_NULL, NULL);

	GOOD(Dots(x, 3, rows, 3, y, 3, rows, 3, &result, &n, &error));
	IS(n, 2), IS(result[0], 4), IS(result[1], 28);
	free(result);
	BAD(OFFSETS, "Dots: rows_YRows: offset 1 is 2, and that of rows_XRows is 1", Dots(x, 3, rows, 3, y, 3, other, 3, &result, &n, &error));
	BAD(LENGTH, "Dots: rows_Y: 1 elements, and rows_X has 2", Dots(x, 3, rows, 3, y, 3, (int64_t[]){0, 3}, 2, &result, &n, &error));

	GOOD(Scaled(x, 3, rows, 3, 2, &result, &n, &cut, &cuts, &error));
	IS(n, 3), IS(cuts, 3), IS(cut[1], 1), IS(cut[2], 3), IS(result[2], 6);
	free(result), free(cut);
	GOOD(Scaled(NULL, 0, (int64_t[]){0}, 1, 2, &result, &n, &cut, &cuts, &error));
	IS(n, 0), IS(cuts, 1), IS(cut[0], 0);
	free(result), free(cut);
	BAD(OFFSETS, "Scaled: rowsRows: empty; r rows need r+1 offsets, so at least one", Scaled(x, 3, rows, 0, 2, &result, &n, &cut, &cuts, &error));
	BAD(OFFSETS, "Scaled: rowsRows: empty; r rows need r+1 offsets, so at least one", Scaled(NULL, 0, NULL, 0, 2, &result, &n, &cut, &cuts, &error));
	BAD(OFFSETS, "Scaled: rowsRows: offset 0 is 1, and rows begin at 0", Scaled(x, 3, rows + 1, 2, 2, &result, &n, &cut, &cuts, &error));
	BAD(OFFSETS, "Scaled: rowsRows: offset 0 is -1, and rows begin at 0", Scaled(x, 3, (int64_t[]){-1, 3}, 2, 2, &result, &n, &cut, &cuts, &error));
	BAD(OFFSETS, "Scaled: rowsRows: the last offset is 3, and there are 2 elements", Scaled(x, 2, rows, 3, 2, &result, &n, &cut, &cuts, &error));
	BAD(OFFSETS, "Scaled: rowsRows: the last offset is 1, and there are 3 elements", Scaled(x, 3, rows, 2, 2, &result, &n, &cut, &cuts, &error));
	BAD(OFFSETS, "Scaled: rowsRows: offset 2 is 1, less than the one before, 3", Scaled(x, 3, (int64_t[]){0, 3, 1, 3}, 4, 2, &result, &n, &cut, &cuts, &error));
	BAD(LENGTH, "Scaled: rowsRows: the length -3 is negative", Scaled(x, 3, rows, -3, 2, &result, &n, &cut, &cuts, &error));
	BAD(NULL, "Scaled: rowsRows: NULL, and the length is 3", Scaled(x, 3, NULL, 3, 2, &result, &n, &cut, &cuts, &error));
	BAD(NULL, "Scaled: rows: NULL, and the length is 3", Scaled(NULL, 3, rows, 3, 2, &result, &n, &cut, &cuts, &error));
	BAD(NULL, "Scaled: result_rows: NULL, and there is a result to put there", Scaled(x, 3, rows, 3, 2, &result, &n, NULL, &cuts, &error));
	IS(result == NULL, 1), IS(cut == NULL, 1);

	const uint8_t names[] = {'a', 'b', 'c'};
	const float values[] = {1, 2, 3}, from[] = {10, 20};
	float *totals;
	GOOD(Totals(names, 3, (int64_t[]){0, 2, 3}, 3, values, 3, (int64_t[]){0, 0, 3}, 3, from, 2, &totals, &n, &error));
	IS(n, 2), IS(totals[0], 12), IS(totals[1], 27);
	free(totals);
	BAD(LENGTH, "Totals: all_From: 2 elements, and all_Name has 1", Totals(names, 3, (int64_t[]){0, 3}, 2, values, 3, (int64_t[]){0, 3}, 2, from, 2, &totals, &n, &error));
	BAD(LENGTH, "Totals: all_Values: 1 elements, and all_Name has 2", Totals(names, 3, (int64_t[]){0, 2, 3}, 3, values, 3, (int64_t[]){0, 3}, 2, from, 2, &totals, &n, &error));

	const int32_t xs[] = {5, 6};
	int32_t *a, *b, *c;
	int64_t na, nb, nc, count;
	GOOD(Twice(xs, 2, &a, &na, &b, &nb, &c, &nc, &count, &error));
	IS(na, 2), IS(nb, 2), IS(nc, 2), IS(count, 2), IS(a[1], 12), IS(b[1], 12), IS(c[1], 6), IS(a == b, 0), IS(c == xs, 0);
	free(a), free(b), free(c);
	BAD(NULL, "Twice: result4: NULL, and there is a result to put there", Twice(xs, 2, &a, &na, &b, &nb, &c, &nc, NULL, &error));

	GOOD(Picked(x, 3, (int32_t[]){2, 0}, 2, &result, &n, &error));
	IS(result[0], 3), IS(result[1], 1);
	free(result);
	expect(__LINE__, Picked(x, 3, (int32_t[]){2, 3}, 2, &result, &n, &error), SURGE_ERROR_CHECK, NULL);
	IS(strstr(error.text, "the index 3 is outside of [0, 3)") != NULL, 1), IS(result == NULL, 1);

	free(x), free(y), free(rows), free(other);
	printf("%d calls, %d wrong\n", calls, wrong);
	return wrong;
}
