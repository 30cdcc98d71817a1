#ifndef SURGE_ERROR
#define SURGE_ERROR
// What is wrong with the arguments of a kernel's function, and where in the source it is found.
typedef struct {
	char text[256];
} surge_error;
#endif

