#ifndef SURGE_ERROR
#define SURGE_ERROR
// What is wrong with the arguments of a kernel's function, and where in the source it is found.
typedef struct {
	char text[256];
} surge_error;

// What a kernel's function returns if it fails.
enum {
	SURGE_ERROR_CHECK = 1, // a check of the kernel: an index that is outside, and what else ends it in Go
	SURGE_ERROR_MEMORY,    // there is no memory
	SURGE_ERROR_NULL,      // a pointer is NULL, and there is something to read or to write
	SURGE_ERROR_LENGTH,    // a length is negative, or columns of one slice have different lengths
	SURGE_ERROR_OFFSETS    // row offsets do not begin at 0, decrease, or do not end where the elements do
};
#endif

