/* For wine before 9, which has no bcryptprimitives.dll: the random numbers of Rust's standard library from those of advapi32. Only the tests
 * of packaging/test-cross put it beside the program; Windows has its own. */

#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length) {
    return SystemFunction036(buffer, (unsigned long)length);
}
