/* What the C programs take from POSIX and Windows spells otherwise. MinGW has threads and the rest. */

#ifndef ON_WINDOWS_H
#define ON_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* What an absolute path begins with, before its first slash. */
#define DRIVE "C:"

#define RTLD_NOW 0

/* The library is in the process already, because the program is linked to it. */
static inline void *dlopen(const char *path, int flags) {
    (void)flags;
    return path == NULL ? (void *)GetModuleHandleA("svc_deploy.dll") : (void *)LoadLibraryA(path);
}

static inline void *dlsym(void *library, const char *name) {
    void *symbol;
    FARPROC found = GetProcAddress((HMODULE)library, name);
    memcpy(&symbol, &found, sizeof symbol);
    return symbol;
}

static inline int dlclose(void *library) {
    (void)library;
    return 0;
}

static DWORD WINAPI end_after(void *seconds) {
    Sleep((DWORD)(size_t)seconds * 1000);
    ExitProcess(142);
}

static inline unsigned alarm(unsigned seconds) {
    return CreateThread(NULL, 0, end_after, (void *)(size_t)seconds, 0, NULL) == NULL;
}

/* With the slashes of JSON. */
static inline char *folder_with_slashes(char *path, int size) {
    if (GetCurrentDirectoryA((DWORD)size, path) == 0) return NULL;
    for (char *sign = path; *sign != '\0'; sign++) {
        if (*sign == '\\') *sign = '/';
    }
    return path;
}
#define getcwd folder_with_slashes

/* The C library reads names in the code page of the system, and knows no "x". */
static inline FILE *open_utf8(const char *path, const char *mode) {
    wchar_t wide_path[4096], wide_mode[4] = {(wchar_t)mode[0], L'\0'};
    if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide_path, 4096) == 0) return NULL;
    if (strchr(mode, 'x') != NULL && GetFileAttributesW(wide_path) != INVALID_FILE_ATTRIBUTES) return NULL;
    return _wfopen(wide_path, wide_mode);
}
#define fopen open_utf8

static inline int setenv(const char *name, const char *value, int overwrite) {
    (void)overwrite;
    return _putenv_s(name, value);
}

#endif
