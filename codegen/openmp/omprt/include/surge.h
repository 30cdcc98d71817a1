// What C that surge generates stands on: Go's arithmetic where C's is another or undefined, loops over chunks on a team of
// threads, failed checks, and memory of a thread. It is C11 with OpenMP, for gcc and clang.
#ifndef SURGE_H
#define SURGE_H

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- Go's arithmetic. The compiler is told that integers wrap around (-fwrapv).

#define SURGE_INTEGER(name, type, wide, utype, bits, out)                                                                    \
	static inline type surge_shl_##name(type a, uint64_t n) { return n < bits ? (type)((wide)(utype)a << n) : 0; }           \
	static inline type surge_shr_##name(type a, uint64_t n) { return n < bits ? (type)(a >> n) : (type)(out); }              \
	static inline type surge_min_##name(type a, type b) { return a < b ? a : b; }                                            \
	static inline type surge_max_##name(type a, type b) { return a > b ? a : b; }

// The quotient of the smallest number and -1 wraps around.
#define SURGE_SIGNED(name, type, utype, bits)                                                                                \
	SURGE_INTEGER(name, type, uint64_t, utype, bits, a < 0 ? -1 : 0)                                                         \
	static inline type surge_div_##name(type a, type b) { return b == -1 ? (type)(0 - (utype)a) : (type)(a / b); }           \
	static inline type surge_rem_##name(type a, type b) { return b == -1 ? 0 : (type)(a % b); }

#define SURGE_UNSIGNED(name, type, bits)                                                                                     \
	SURGE_INTEGER(name, type, uint64_t, type, bits, 0)                                                                       \
	static inline int64_t surge_leadingzeros_##name(type x) { return x ? __builtin_clzll(x) - (64 - bits) : bits; }          \
	static inline int64_t surge_trailingzeros_##name(type x) { return x ? __builtin_ctzll(x) : bits; }                       \
	static inline int64_t surge_onescount_##name(type x) { return __builtin_popcountll(x); }                                 \
	static inline type surge_reversebytes_##name(type x) { return (type)(__builtin_bswap64(x) >> (64 - bits)); }             \
	static inline type surge_reversebits_##name(type x)                                                                      \
	{                                                                                                                        \
		uint64_t y = __builtin_bswap64(x);                                                                                   \
		y = (y >> 4 & 0x0f0f0f0f0f0f0f0f) | (y & 0x0f0f0f0f0f0f0f0f) << 4;                                                   \
		y = (y >> 2 & 0x3333333333333333) | (y & 0x3333333333333333) << 2;                                                   \
		y = (y >> 1 & 0x5555555555555555) | (y & 0x5555555555555555) << 1;                                                   \
		return (type)(y >> (64 - bits));                                                                                     \
	}                                                                                                                        \
	static inline type surge_rotateleft_##name(type x, int64_t k)                                                            \
	{                                                                                                                        \
		uint64_t n = (uint64_t)k & (bits - 1);                                                                               \
		return n == 0 ? x : (type)((uint64_t)x << n | (uint64_t)x >> (bits - n));                                            \
	}

SURGE_SIGNED(i8, int8_t, uint8_t, 8)
SURGE_SIGNED(i16, int16_t, uint16_t, 16)
SURGE_SIGNED(i32, int32_t, uint32_t, 32)
SURGE_SIGNED(i64, int64_t, uint64_t, 64)
SURGE_UNSIGNED(u8, uint8_t, 8)
SURGE_UNSIGNED(u16, uint16_t, 16)
SURGE_UNSIGNED(u32, uint32_t, 32)
SURGE_UNSIGNED(u64, uint64_t, 64)

static inline uint64_t surge_mulhigh(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

// Floats: min and max as Go's functions of that name (a NaN if either is, zeros ordered by sign), fmin and fmax as package
// math's (an infinity wins over a NaN); conversions to integers as Go makes them on amd64; what is added to a product
// is rounded once where the processor can do that.
#define SURGE_FLOAT(name, type, bits, fma, infinity)                                                                         \
	static inline bits surge_bits_##name(type x) { bits u; memcpy(&u, &x, sizeof u); return u; }                             \
	static inline type surge_from_##name(bits u) { type x; memcpy(&x, &u, sizeof x); return x; }                             \
	static inline type surge_min_##name(type a, type b)                                                                      \
	{                                                                                                                        \
		type r = a < b ? a : b;                                                                                              \
		r = a == b ? surge_from_##name(surge_bits_##name(a) | surge_bits_##name(b)) : r;                                     \
		return (a != a) | (b != b) ? a + b : r;                                                                              \
	}                                                                                                                        \
	static inline type surge_max_##name(type a, type b)                                                                      \
	{                                                                                                                        \
		type r = a > b ? a : b;                                                                                              \
		r = a == b ? surge_from_##name(surge_bits_##name(a) & surge_bits_##name(b)) : r;                                     \
		return (a != a) | (b != b) ? a + b : r;                                                                              \
	}                                                                                                                        \
	static inline type surge_fmin_##name(type a, type b) { return (a == -infinity) | (b == -infinity) ? -infinity : surge_min_##name(a, b); } \
	static inline type surge_fmax_##name(type a, type b) { return (a == infinity) | (b == infinity) ? infinity : surge_max_##name(a, b); }    \
	static inline int64_t surge_i64_of_##name(type x) { return (x >= (type)-0x1p63) & (x < (type)0x1p63) ? (int64_t)x : INT64_MIN; }          \
	static inline int32_t surge_i32_of_##name(type x) { return (x > -2147483649.0) & (x < 0x1p31) ? (int32_t)x : INT32_MIN; }                 \
	static inline int16_t surge_i16_of_##name(type x) { return (int16_t)surge_i32_of_##name(x); }                            \
	static inline int8_t surge_i8_of_##name(type x) { return (int8_t)surge_i32_of_##name(x); }                               \
	static inline uint64_t surge_u64_of_##name(type x)                                                                       \
	{                                                                                                                        \
		return x < (type)0x1p63 ? (uint64_t)surge_i64_of_##name(x) : (uint64_t)surge_i64_of_##name(x - (type)0x1p63) | (uint64_t)1 << 63;     \
	}                                                                                                                        \
	static inline uint32_t surge_u32_of_##name(type x) { return (uint32_t)surge_i64_of_##name(x); }                          \
	static inline uint16_t surge_u16_of_##name(type x) { return (uint16_t)surge_i32_of_##name(x); }                          \
	static inline uint8_t surge_u8_of_##name(type x) { return (uint8_t)surge_i32_of_##name(x); }

SURGE_FLOAT(f64, double, uint64_t, fma, (double)INFINITY)
SURGE_FLOAT(f32, float, uint32_t, fmaf, INFINITY)

#ifdef __FP_FAST_FMA
#define surge_fma_f64(x, y, z) __builtin_fma(x, y, z)
#else
#define surge_fma_f64(x, y, z) ((x) * (y) + (z))
#endif
#ifdef __FP_FAST_FMAF
#define surge_fma_f32(x, y, z) __builtin_fmaf(x, y, z)
#else
#define surge_fma_f32(x, y, z) ((x) * (y) + (z))
#endif

#define SURGE_COMBINE(name, type, fn, first) _Pragma(SURGE_TEXT(omp declare reduction(surge_##fn##_##name : type : omp_out = surge_##fn##_##name(omp_out, omp_in)) initializer(omp_priv = first)))
#define SURGE_TEXT(...) SURGE_TEXT_OF(__VA_ARGS__)
#define SURGE_TEXT_OF(...) #__VA_ARGS__
SURGE_COMBINE(f64, double, min, INFINITY)
SURGE_COMBINE(f64, double, max, -INFINITY)
SURGE_COMBINE(f64, double, fmin, INFINITY)
SURGE_COMBINE(f64, double, fmax, -INFINITY)
SURGE_COMBINE(f32, float, min, INFINITY)
SURGE_COMBINE(f32, float, max, -INFINITY)
SURGE_COMBINE(f32, float, fmin, INFINITY)
SURGE_COMBINE(f32, float, fmax, -INFINITY)

// SURGE_SCALAR, as a statement of a loop, keeps gcc from computing the loop in lanes: see scalar.go of package openmp.
#if defined(__GNUC__) && !defined(__clang__)
#define SURGE_SCALAR __asm__ volatile("")
#else
#define SURGE_SCALAR (void)0
#endif

// ---- A run, and where in it code stands.

enum { SURGE_STATIC, SURGE_DYNAMIC, SURGE_GUIDED };
enum { SURGE_RUNNING, SURGE_CANCELLED, SURGE_FAILED, SURGE_HALTED, SURGE_MEMORY };
enum { SURGE_DEPTH = 4 };

// surge_level is how the loops of a level are divided.
typedef struct {
	int64_t threads, schedule, chunk, nested;
} surge_level;

// surge_run is one run of one computation: what it may use, and how it ended. The host may set stop to SURGE_CANCELLED, and to
// SURGE_HALTED where it was SURGE_FAILED, while the run goes on.
typedef struct {
	surge_level level[8];
	int32_t stop, lock;
	int64_t site, numbers[4];         // of the check that failed, the first in the order of the chunks
	int64_t depth, path[SURGE_DEPTH]; // and the chunks that it was in
} surge_run;

// surge_at is a chunk, and the chunk that the loop around it is in. depth is 0 outside of loops over chunks.
typedef struct surge_at surge_at;
struct surge_at {
	surge_run *run;
	const surge_at *around;
	int64_t chunk, depth;
	int64_t threads; // that a loop inside may have beside the others of its level
};

static inline void surge_path(const surge_at *at, int64_t path[SURGE_DEPTH])
{
	for (; at->depth > 0; at = at->around)
		if (at->depth <= SURGE_DEPTH)
			path[at->depth - 1] = at->chunk;
}

// surge_before reports whether where code stands comes before the check that failed.
static inline bool surge_before(const surge_at *at)
{
	const surge_run *run = at->run;
	int64_t path[SURGE_DEPTH];
	surge_path(at, path);
	for (int64_t i = 0; i < at->depth && i < run->depth; i++)
		if (path[i] != run->path[i])
			return path[i] < run->path[i];
	return false;
}

static inline void surge_lock(int32_t *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		sched_yield(); // who has it may not be running
}
static inline void surge_unlock(int32_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

static inline bool surge_stops(const surge_at *at)
{
	surge_lock(&at->run->lock);
	bool stops = __atomic_load_n(&at->run->stop, __ATOMIC_RELAXED) != SURGE_FAILED || !surge_before(at);
	surge_unlock(&at->run->lock);
	return stops;
}

// surge_stopped reports whether a chunk has to end: chunks before the one that failed go on, as they may fail too.
static inline bool surge_stopped(const surge_at *at)
{
	return __builtin_expect(__atomic_load_n(&at->run->stop, __ATOMIC_RELAXED) != SURGE_RUNNING, 0) && surge_stops(at);
}

// surge_fail reports a failed check: site is its number, the others say what was found.
static __attribute__((noinline, cold, unused)) void surge_fail(const surge_at *at, int64_t site, int64_t a, int64_t b, int64_t c, int64_t d)
{
	surge_run *run = at->run;
	int32_t running = SURGE_RUNNING;
	surge_lock(&run->lock);
	if (__atomic_compare_exchange_n(&run->stop, &running, SURGE_FAILED, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
		(running == SURGE_FAILED && surge_before(at))) {
		run->site = site;
		run->numbers[0] = a, run->numbers[1] = b, run->numbers[2] = c, run->numbers[3] = d;
		run->depth = at->depth;
		surge_path(at, run->path);
	}
	surge_unlock(&run->lock);
}

// surge_memory ends a run that has no memory.
static __attribute__((noinline, cold, unused)) void surge_memory(const surge_at *at) { __atomic_store_n(&at->run->stop, SURGE_MEMORY, __ATOMIC_RELAXED); }

// surge_check_all returns the first of n indices that is not in [0, limit), or -1.
#define SURGE_CHECK_ALL(name, type)                                                                                          \
	static inline int64_t surge_check_all_##name(const type *p, int64_t n, int64_t limit)                                    \
	{                                                                                                                        \
		for (int64_t lo = 0; lo < n; lo += 1024) {                                                                           \
			int64_t hi = surge_min_i64(n, lo + 1024);                                                                        \
			uint64_t bad = 0;                                                                                                \
			for (int64_t i = lo; i < hi; i++)                                                                                \
				bad |= (uint64_t)(int64_t)p[i] >= (uint64_t)limit;                                                           \
			if (bad)                                                                                                         \
				for (int64_t i = lo; i < hi; i++)                                                                            \
					if ((uint64_t)(int64_t)p[i] >= (uint64_t)limit)                                                          \
						return i;                                                                                            \
		}                                                                                                                    \
		return -1;                                                                                                           \
	}
SURGE_CHECK_ALL(i32, int32_t)
SURGE_CHECK_ALL(i64, int64_t)

// ---- Memory of a thread: a stack of pieces, in blocks that stay for the next run.

typedef struct surge_block surge_block;
struct surge_block {
	surge_block *next;
	int64_t size;
	_Alignas(64) char bytes[];
};

// surge_piece is memory of an array that grew, beside the stack.
typedef struct surge_piece surge_piece;
struct surge_piece {
	surge_piece *next, **at;
	_Alignas(64) char bytes[];
};

typedef struct surge_arena surge_arena;
struct surge_arena {
	surge_block first; // of no bytes
	surge_block *block;
	int64_t used; // of block
	surge_arena *next;
	surge_piece *pieces;
};

// surge_mark is how much of an arena is taken.
typedef struct {
	surge_block *block;
	int64_t used;
} surge_mark;

static surge_arena *surge_idle;
static int32_t surge_idle_lock;

// surge_take returns an arena that nobody uses, or NULL.
static inline surge_arena *surge_take(void)
{
	surge_lock(&surge_idle_lock);
	surge_arena *a = surge_idle;
	if (a)
		surge_idle = a->next;
	surge_unlock(&surge_idle_lock);
	if (!a && (a = aligned_alloc(64, (sizeof *a + 63) & ~(size_t)63))) {
		memset(a, 0, sizeof *a);
		a->block = &a->first;
	}
	return a;
}

// surge_drop gives back the memory of an array that has grown, if it has.
static inline void surge_drop(surge_piece *p)
{
	if (!p)
		return;
	if ((*p->at = p->next))
		p->next->at = p->at;
	free(p);
}

static inline void surge_give(surge_arena *a)
{
	while (a->pieces)
		surge_drop(a->pieces);
	a->block = &a->first;
	a->used = 0;
	surge_lock(&surge_idle_lock);
	a->next = surge_idle;
	surge_idle = a;
	surge_unlock(&surge_idle_lock);
}

// surge_scratch returns n elements of so many bytes, or NULL.
static inline void *surge_scratch(surge_arena *a, int64_t n, int64_t bytes)
{
	if (n < 0 || n > ((int64_t)1 << 46) / bytes)
		return NULL;
	int64_t size = (n * bytes + 63) & ~(int64_t)63;
	while (size > a->block->size - a->used) {
		surge_block *b = a->block->next;
		if (!b || b->size < size) {
			int64_t room = surge_max_i64(surge_max_i64(2 * a->block->size, 65536), size);
			surge_block *more = aligned_alloc(64, sizeof *more + (size_t)room);
			if (!more)
				return NULL;
			more->next = b, more->size = room;
			a->block->next = b = more;
		}
		a->block = b, a->used = 0;
	}
	void *p = a->block->bytes + a->used;
	a->used += size;
	return p;
}

// surge_grow moves an array to memory for n elements, of which the first keep are those of old; it returns NULL if there
// is no memory. mine is the piece that the array has, NULL if it lies on the stack.
static inline void *surge_grow(surge_arena *a, surge_piece **mine, const void *old, int64_t keep, int64_t n, int64_t bytes)
{
	if (n < 0 || n > ((int64_t)1 << 46) / bytes)
		return NULL;
	surge_piece *p = aligned_alloc(64, (sizeof *p + (size_t)(n * bytes) + 63) & ~(size_t)63);
	if (!p)
		return NULL;
	if ((p->next = a->pieces))
		p->next->at = &p->next;
	p->at = &a->pieces;
	a->pieces = p;
	memcpy(p->bytes, old, (size_t)(keep * bytes));
	surge_drop(*mine);
	*mine = p;
	return p->bytes;
}

static inline surge_mark surge_marked(surge_arena *a) { return (surge_mark){a->block, a->used}; }
static inline void surge_release(surge_arena *a, surge_mark m) { a->block = m.block, a->used = m.used; }

// ---- Loops over chunks. Where they begin and end depends on the length and the parameters only.

enum { SURGE_LONG = 1 << 16, SURGE_GRAIN = 64, SURGE_MAX_CHUNKS = 1 << 18, SURGE_BATCHES = 64 };

typedef struct {
	int64_t n, threads, schedule, chunks;
	bool nested;
	int64_t lanes, split, unit; // static without a chunk size: lanes blocks of split chunks each; guided: batches of lanes chunks
	int64_t size, longs, batches;
	struct {
		int64_t lo, size;
	} batch[SURGE_BATCHES];
	const int64_t *cuts; // the bounds of each chunk, NULL where they follow from n and the parameters
} surge_loop;

static inline int64_t surge_ceil(int64_t a, int64_t b) { return a / b + (a % b != 0); }
static inline int64_t surge_round(int64_t size) { return size < 8 * SURGE_GRAIN ? size : (size + SURGE_GRAIN - 1) & ~(int64_t)(SURGE_GRAIN - 1); }

static inline void surge_share(int64_t n, int64_t parts, int64_t k, int64_t *lo, int64_t *hi)
{
	int64_t each = n / parts, extra = n % parts;
	*lo = k * each + surge_min_i64(k, extra);
	*hi = *lo + each + (k < extra);
}

// Guided: chunks of what remains divided by twice the threads, in batches of one a thread.
static inline void surge_guided(surge_loop *l, int64_t least)
{
	l->lanes = l->threads; // which surge_worth may change behind
	int64_t shares = 2 * l->threads, top = surge_max_i64(SURGE_LONG, surge_ceil(l->n, SURGE_MAX_CHUNKS / 2));
	if (least == 0)
		least = surge_min_i64(surge_max_i64(1, surge_round(l->n / (l->threads * 128))), top);
	least = surge_min_i64(surge_max_i64(least, surge_ceil(l->n, SURGE_MAX_CHUNKS / 2)), l->n);
	top = surge_max_i64(top, least);
	l->size = top;
	int64_t left = l->n;
	if (left / shares > top) {
		l->longs = (left - shares * top) / top;
		left -= l->longs * top;
	}
	l->chunks = l->longs;
	while (left > 0) {
		int64_t size = surge_min_i64(surge_round(surge_ceil(left, shares)), top), b = l->batches++;
		l->batch[b].lo = l->n - left;
		if (size <= least || l->batches == SURGE_BATCHES) {
			l->batch[b].size = least;
			l->chunks += surge_ceil(left, least);
			return;
		}
		l->batch[b].size = size;
		l->chunks += l->threads;
		left -= l->threads * size;
	}
}

// surge_open cuts [0, n) for a level of the run. With width, the loop has at most one chunk a thread, of equal length.
static inline void surge_open(surge_loop *l, const surge_at *at, int64_t level, int64_t n, int64_t width)
{
	const surge_level *p = &at->run->level[level - 1];
	int64_t chunk = p->chunk;
	l->n = n, l->threads = p->threads, l->schedule = p->schedule, l->nested = p->nested != 0;
	l->chunks = l->lanes = l->split = l->longs = l->batches = 0;
	l->unit = 1, l->cuts = NULL;
	if (n <= 0)
		return;
	if (width > 0)
		l->schedule = SURGE_STATIC, chunk = surge_max_i64(surge_ceil(n, l->threads), 1);
	int64_t least = surge_ceil(n, SURGE_MAX_CHUNKS);
	switch (l->schedule) {
	case SURGE_DYNAMIC:
		l->size = chunk > 0 ? chunk : surge_min_i64(surge_round(surge_ceil(n, l->threads * 16)), SURGE_LONG);
		l->size = surge_min_i64(surge_max_i64(l->size, least), n);
		l->chunks = surge_ceil(n, l->size);
		return;
	case SURGE_GUIDED:
		surge_guided(l, surge_max_i64(chunk, 0));
		return;
	}
	if (chunk > 0) {
		l->size = surge_min_i64(surge_max_i64(chunk, least), n);
		l->chunks = surge_ceil(n, l->size);
		l->lanes = surge_min_i64(l->threads, l->chunks);
		return;
	}
	if (n / l->threads >= SURGE_GRAIN * SURGE_GRAIN)
		l->unit = SURGE_GRAIN;
	int64_t units = surge_ceil(n, l->unit);
	l->lanes = surge_min_i64(l->threads, units);
	l->split = surge_min_i64(surge_ceil(surge_ceil(units, l->lanes), SURGE_LONG / l->unit), SURGE_MAX_CHUNKS / l->lanes);
	l->chunks = l->lanes * l->split;
}

// surge_worth leaves a loop to one thread whose chunks have few operations together, about.
static inline void surge_worth(surge_loop *l, int64_t work)
{
	if (work < 32768)
		l->threads = 1;
}

static inline void surge_bounds(const surge_loop *l, int64_t chunk, int64_t *lo, int64_t *hi)
{
	if (l->cuts) {
		*lo = l->cuts[2 * chunk], *hi = l->cuts[2 * chunk + 1];
	} else if (l->schedule == SURGE_GUIDED && chunk >= l->longs) {
		int64_t k = chunk - l->longs, j = surge_min_i64(k / l->lanes, l->batches - 1);
		*lo = l->batch[j].lo + (k - j * l->lanes) * l->batch[j].size;
		*hi = surge_min_i64(*lo + l->batch[j].size, l->n);
	} else if (l->split > 0) {
		int64_t block = chunk / l->split, first, end;
		surge_share(surge_ceil(l->n, l->unit), l->lanes, block, &first, &end);
		surge_share(end - first, l->split, chunk - block * l->split, lo, hi);
		*lo = (first + *lo) * l->unit;
		*hi = surge_min_i64((first + *hi) * l->unit, l->n);
	} else {
		*lo = chunk * l->size;
		*hi = surge_min_i64(*lo + l->size, l->n);
	}
}

// Rows that are shared by elements: chunks of rows that have about as many elements and rows together (merge path),
// without the rows that are longer than a chunk should be. Chunks and long rows together are all rows, whatever the
// offsets say. surge_offset reads an offset.
typedef int64_t surge_offset(const void *offsets, int64_t i);

#define SURGE_OFFSET(type, name) \
	static __attribute__((unused)) int64_t surge_offset_##name(const void *offsets, int64_t i) { return (int64_t)((const type *)offsets)[i]; }
SURGE_OFFSET(int8_t, i8)
SURGE_OFFSET(int16_t, i16)
SURGE_OFFSET(int32_t, i32)
SURGE_OFFSET(int64_t, i64)
SURGE_OFFSET(uint8_t, u8)
SURGE_OFFSET(uint16_t, u16)
SURGE_OFFSET(uint32_t, u32)
SURGE_OFFSET(uint64_t, u64)

enum { SURGE_ROW_SHARE = 8, SURGE_LONG_ROW = 1 << 15 };

typedef struct {
	surge_offset *at;
	const void *offsets;
	int64_t n, parts, elements, rest; // rest are the parts that no chunk has been made for
	int64_t *cuts, chunks;
	int64_t *longs, left;
} surge_rows;

static inline int64_t surge_weight(const surge_rows *r, int64_t lo, int64_t hi)
{
	return (int64_t)((uint64_t)(hi - lo) + (uint64_t)r->at(r->offsets, hi) - (uint64_t)r->at(r->offsets, lo));
}

// surge_pieces makes chunks of rows [lo, hi), as many as their part of all rows and elements is.
static inline void surge_pieces(surge_rows *r, int64_t lo, int64_t hi)
{
	if (lo == hi)
		return;
	int64_t total = surge_max_i64(surge_weight(r, lo, hi), 1), all = surge_max_i64(r->n + r->elements, 1);
	double share = (double)total * (double)r->parts / (double)all + 0.5;
	int64_t pieces = share < (double)r->rest ? surge_max_i64((int64_t)share, 1) : surge_max_i64(r->rest, 1), at = lo;
	r->rest = surge_max_i64(r->rest - pieces, 0);
	for (int64_t k = 1; k <= pieces; k++) {
		int64_t end = at, high = hi;
		if (k == pieces)
			end = hi;
		while (end < high) {
			int64_t mid = end + (high - end) / 2;
			if (surge_weight(r, lo, mid) < total / pieces * k + total % pieces * k / pieces)
				end = mid + 1;
			else
				high = mid;
		}
		if (end > at)
			r->cuts[2 * r->chunks] = at, r->cuts[2 * r->chunks + 1] = end, r->chunks++;
		at = end;
	}
}

// surge_by cuts a loop that is open by the elements of its rows; with leave, rows that are too long are left out. It
// returns false if there is no memory.
static inline bool surge_by(surge_loop *l, surge_rows *r, surge_arena *arena, const void *offsets, surge_offset *at, bool leave)
{
	*r = (surge_rows){.at = at, .offsets = offsets, .n = l->n};
	if (l->n <= 0)
		return true;
	r->rest = r->parts = surge_min_i64(l->threads * SURGE_ROW_SHARE, SURGE_MAX_CHUNKS / 2);
	r->cuts = surge_scratch(arena, 4 * r->parts + 2, sizeof *r->cuts);
	r->longs = surge_scratch(arena, r->parts, sizeof *r->longs);
	if (!r->cuts || !r->longs)
		return false;
	r->elements = surge_max_i64(surge_weight(r, 0, l->n) - l->n, 0);
	int64_t part = r->elements / r->parts, most = surge_max_i64(part, SURGE_LONG_ROW), lo = 0;
	for (int64_t k = 0; leave && r->elements > most && k < r->parts && lo < l->n; k++) {
		int64_t element = at(offsets, 0) + part * k + part / 2, row = lo;
		for (int64_t hi = l->n; hi - row > 1;) {
			int64_t mid = row + (hi - row) / 2;
			if (at(offsets, mid) <= element)
				row = mid;
			else
				hi = mid;
		}
		if (surge_weight(r, row, row + 1) - 1 > most) {
			surge_pieces(r, lo, row);
			r->longs[r->left++] = row;
			lo = row + 1;
		}
	}
	surge_pieces(r, lo, l->n);
	l->schedule = SURGE_DYNAMIC, l->split = 0, l->chunks = r->chunks, l->cuts = r->cuts;
	return true;
}

// surge_body is what a loop does with a chunk. arena is memory of the thread; env is what is around the loop.
typedef void surge_body(const surge_at *at, surge_arena *arena, void *env, int64_t chunk, int64_t lo, int64_t hi);

static inline void surge_turn(const surge_loop *l, surge_body *body, void *env, const surge_at *around, surge_arena *arena, int64_t threads, int64_t chunk)
{
	surge_at at = {around->run, around, chunk, around->depth + 1, threads};
	int64_t lo, hi;
	if (surge_stopped(&at))
		return;
	surge_bounds(l, chunk, &lo, &hi);
	surge_mark mark = surge_marked(arena);
	body(&at, arena, env, chunk, lo, hi);
	surge_release(arena, mark);
}

// surge_for runs body for all chunks of a loop. Chunks that wait for the one before are begun in order, whatever the
// schedule: then the chunk that a thread waits for has been begun by another one, which waits for none that comes later.
static __attribute__((noinline, unused)) void surge_for(const surge_loop *l, surge_body *body, void *env, const surge_at *at, surge_arena *own, bool in_order)
{
	int64_t chunks = l->chunks, team = surge_min_i64(l->threads, chunks), inside = 1;
	if (at->depth > 0)
		team = l->nested ? surge_min_i64(team, at->threads) : 1;
	if (team <= 1) {
		for (int64_t chunk = 0; chunk < chunks; chunk++)
			surge_turn(l, body, env, at, own, at->depth > 0 ? at->threads : l->threads, chunk);
		return;
	}
	inside = surge_ceil(l->threads, team);
	if (omp_get_max_active_levels() < 2)
		omp_set_max_active_levels(2);
	int64_t next = 0;
#pragma omp parallel num_threads((int)team)
	{
		surge_arena *arena = surge_take();
		if (!arena) {
			surge_memory(at);
		} else if (in_order) {
			for (int64_t chunk; (chunk = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < chunks;)
				surge_turn(l, body, env, at, arena, inside, chunk);
		} else if (l->schedule != SURGE_STATIC) {
#pragma omp for schedule(dynamic, 1) nowait
			for (int64_t chunk = 0; chunk < chunks; chunk++)
				surge_turn(l, body, env, at, arena, inside, chunk);
		} else if (l->split > 0) {
#pragma omp for schedule(static) nowait
			for (int64_t chunk = 0; chunk < chunks; chunk++)
				surge_turn(l, body, env, at, arena, inside, chunk);
		} else {
#pragma omp for schedule(static, 1) nowait
			for (int64_t chunk = 0; chunk < chunks; chunk++)
				surge_turn(l, body, env, at, arena, inside, chunk);
		}
		if (arena)
			surge_give(arena);
	}
}

// ---- Prefixes that chunks hand on to the next.

typedef struct {
	int32_t ready;
	char value[8];
	_Alignas(64) char apart[];
} surge_link;

// surge_chain returns links for a loop of so many chunks, the first of which has a seed; NULL where there is no memory.
static inline surge_link *surge_chain(surge_arena *a, int64_t chunks, const void *seed, size_t bytes)
{
	surge_link *c = surge_scratch(a, chunks + 1, sizeof *c);
	if (c) {
		for (int64_t i = 1; i <= chunks; i++)
			c[i].ready = 0;
		memcpy(c[0].value, seed, bytes);
		c[0].ready = 1;
	}
	return c;
}

static inline void surge_publish(surge_link *c, int64_t chunk, const void *x, size_t bytes)
{
	memcpy(c[chunk].value, x, bytes);
	__atomic_store_n(&c[chunk].ready, 1, __ATOMIC_RELEASE);
}

// surge_await gets what the chunk before handed on; false if the run was stopped instead.
static inline bool surge_await(const surge_at *at, surge_link *c, int64_t chunk, void *x, size_t bytes)
{
	for (int64_t looks = 1; !__atomic_load_n(&c[chunk].ready, __ATOMIC_ACQUIRE); looks++) {
		if (surge_stopped(at)) // the chunk before may have failed
			return false;
#if defined(__x86_64__)
		__builtin_ia32_pause();
#endif
		if (looks % 1024 == 0)
			sched_yield();
	}
	memcpy(x, c[chunk].value, bytes);
	return true;
}

// ---- Sorting: the stable permutation of n keys in ascending order. NaN comes before all other keys, and the two zeros are
// equal. It sorts by radix; the number of passes depends on how far the keys are apart.

enum { SURGE_DIGIT = 11, SURGE_INSERTION = 32, SURGE_SORT_GRAIN = 1 << 13 };

static inline uint64_t surge_order_i64(int64_t x) { return (uint64_t)x ^ (uint64_t)1 << 63; }
static inline uint64_t surge_order_u64(uint64_t x) { return x; }
static inline uint64_t surge_order_f64(double x)
{
	uint64_t u = surge_bits_f64(x), sign = (uint64_t)1 << 63;
	return x != x ? 0 : x == 0 ? sign : u & sign ? ~u : u | sign;
}
static inline uint64_t surge_order_f32(float x)
{
	uint32_t u = surge_bits_f32(x), sign = (uint32_t)1 << 31;
	return x != x ? 0 : x == 0 ? sign : u & sign ? (uint32_t)~u : u | sign;
}

typedef struct {
	int64_t n, blocks, digits;
	const void *keys;
	void (*order)(const void *keys, uint64_t *to, int64_t lo, int64_t hi);
	uint64_t *from, *to, *low, *high, base;
	int64_t *perm, *other, *counts, shift;
	bool first, last;
} surge_sorter;

static __attribute__((unused)) void surge_sort_keys(const surge_at *at, surge_arena *arena, void *env, int64_t chunk, int64_t b, int64_t end)
{
	surge_sorter *s = env;
	int64_t lo, hi;
	surge_share(s->n, s->blocks, b, &lo, &hi);
	s->order(s->keys, s->from, lo, hi);
	uint64_t low = s->from[lo], high = low;
	for (int64_t i = lo; i < hi; i++)
		low = s->from[i] < low ? s->from[i] : low, high = s->from[i] > high ? s->from[i] : high;
	s->low[b] = low, s->high[b] = high;
}

static __attribute__((unused)) void surge_sort_count(const surge_at *at, surge_arena *arena, void *env, int64_t chunk, int64_t b, int64_t end)
{
	surge_sorter *s = env;
	int64_t lo, hi, *counts = s->counts + b * s->digits;
	surge_share(s->n, s->blocks, b, &lo, &hi);
	memset(counts, 0, (size_t)s->digits * sizeof *counts);
	for (int64_t i = lo; i < hi; i++)
		counts[(s->from[i] - s->base) >> s->shift & (uint64_t)(s->digits - 1)]++;
}

static __attribute__((unused)) void surge_sort_move(const surge_at *at, surge_arena *arena, void *env, int64_t chunk, int64_t b, int64_t end)
{
	surge_sorter *s = env;
	int64_t lo, hi, *counts = s->counts + b * s->digits;
	surge_share(s->n, s->blocks, b, &lo, &hi);
	for (int64_t i = lo; i < hi; i++) {
		int64_t j = counts[(s->from[i] - s->base) >> s->shift & (uint64_t)(s->digits - 1)]++;
		s->perm[j] = s->first ? i : s->other[i];
		if (!s->last)
			s->to[j] = s->from[i];
	}
}

// surge_sort returns false if there is no memory. level is that of the threads that take part, 0 for the calling one alone.
static __attribute__((noinline, unused)) bool surge_sort(const surge_at *at, surge_arena *arena, int64_t level, const void *keys,
	void (*order)(const void *, uint64_t *, int64_t, int64_t), int64_t *perm, int64_t n)
{
	if (n == 0)
		return true;
	surge_mark mark = surge_marked(arena);
	int64_t threads = level > 0 ? at->run->level[level - 1].threads : 1;
	surge_sorter s = {.n = n, .keys = keys, .order = order, .perm = perm, .from = surge_scratch(arena, n, 8)};
	s.blocks = surge_max_i64(1, surge_min_i64(threads, n / SURGE_SORT_GRAIN));
	if (!s.from)
		return false;
	if (n <= SURGE_INSERTION) {
		order(keys, s.from, 0, n);
		for (int64_t i = 0; i < n; i++) {
			uint64_t k = s.from[i];
			int64_t j = i;
			for (; j > 0 && s.from[j - 1] > k; j--)
				s.from[j] = s.from[j - 1], perm[j] = perm[j - 1];
			s.from[j] = k, perm[j] = i;
		}
		surge_release(arena, mark);
		return true;
	}
	surge_loop loop = {.n = s.blocks, .threads = threads, .schedule = SURGE_STATIC, .chunks = s.blocks, .lanes = s.blocks, .size = 1, .unit = 1};
	loop.nested = level > 0 && at->run->level[level - 1].nested;
	s.low = surge_scratch(arena, s.blocks, 8), s.high = surge_scratch(arena, s.blocks, 8);
	if (!s.low || !s.high)
		return false;
	surge_for(&loop, surge_sort_keys, &s, at, arena, false);
	if (surge_stopped(at))
		return true;
	uint64_t low = s.low[0], high = s.high[0];
	for (int64_t b = 1; b < s.blocks; b++)
		low = s.low[b] < low ? s.low[b] : low, high = s.high[b] > high ? s.high[b] : high;
	int64_t width = high > low ? 64 - __builtin_clzll(high - low) : 0;
	int64_t passes = surge_max_i64(1, (width + SURGE_DIGIT - 1) / SURGE_DIGIT), digit = surge_max_i64(1, (width + passes - 1) / passes);
	s.base = low, s.digits = (int64_t)1 << digit;
	if (!(s.counts = surge_scratch(arena, s.blocks * s.digits, 8)))
		return false;
	if (passes > 1) {
		s.to = surge_scratch(arena, n, 8), s.other = surge_scratch(arena, n, 8);
		if (!s.to || !s.other)
			return false;
		if (passes % 2 == 0) // the last pass ends in perm
			s.perm = s.other, s.other = perm;
	}
	for (int64_t pass = 0; pass < passes; pass++) {
		s.first = pass == 0, s.last = pass == passes - 1, s.shift = pass * digit;
		surge_for(&loop, surge_sort_count, &s, at, arena, false);
		if (surge_stopped(at))
			return true;
		int64_t place = 0;
		for (int64_t d = 0; d < s.digits; d++) // where each block puts its keys of each digit
			for (int64_t b = 0; b < s.blocks; b++) {
				int64_t count = s.counts[b * s.digits + d];
				s.counts[b * s.digits + d] = place;
				place += count;
			}
		surge_for(&loop, surge_sort_move, &s, at, arena, false);
		if (surge_stopped(at))
			return true;
		uint64_t *from = s.from;
		s.from = s.to, s.to = from;
		int64_t *p = s.perm;
		s.perm = s.other, s.other = p;
	}
	surge_release(arena, mark);
	return true;
}

#define SURGE_ORDER(name, type, as)                                                                                          \
	static inline void surge_keys_##name(const void *keys, uint64_t *to, int64_t lo, int64_t hi)                             \
	{                                                                                                                        \
		for (int64_t i = lo; i < hi; i++)                                                                                    \
			to[i] = surge_order_##as(((const type *)keys)[i]);                                                               \
	}
SURGE_ORDER(i8, int8_t, i64)
SURGE_ORDER(i16, int16_t, i64)
SURGE_ORDER(i32, int32_t, i64)
SURGE_ORDER(i64, int64_t, i64)
SURGE_ORDER(u8, uint8_t, u64)
SURGE_ORDER(u16, uint16_t, u64)
SURGE_ORDER(u32, uint32_t, u64)
SURGE_ORDER(u64, uint64_t, u64)
SURGE_ORDER(f32, float, f32)
SURGE_ORDER(f64, double, f64)

#endif
