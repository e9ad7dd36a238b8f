/* Starts a program, whose output goes into a file, waits until another file has the given text and so shows that it is under way, presses
 * Ctrl+C as a console does, and ends with the program's status: ctrl_c.exe FILE TEXT OUTPUT COMMAND-LINE
 * It needs a console: wine has one on a (pseudo) terminal. */

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdio.h>
#include <string.h>

static int has(const char *path, const char *text) {
    static char content[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    size_t length = fread(content, 1, sizeof content - 1, file);
    content[length] = '\0';
    fclose(file);
    return strstr(content, text) != NULL;
}

int main(int count, char **arguments) {
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION process;
    DWORD status = 99;
    if (count != 5) return 98;
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE output = CreateFileA(arguments[3], GENERIC_WRITE, FILE_SHARE_READ, &inherited, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = start.hStdError = output;
    if (!CreateProcessA(NULL, arguments[4], NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) {
        fprintf(stderr, "'%s' cannot be started: error %lu\n", arguments[4], GetLastError());
        return 97;
    }
    for (int tenths = 0; !has(arguments[1], arguments[2]); tenths++) {
        if (tenths == 1200 || WaitForSingleObject(process.hProcess, 100) == WAIT_OBJECT_0) {
            fprintf(stderr, "'%s' never came\n", arguments[2]);
            return 96;
        }
    }
    /* Only the other program reacts to it. */
    SetConsoleCtrlHandler(NULL, TRUE);
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) {
        fprintf(stderr, "Ctrl+C cannot be pressed: error %lu\n", GetLastError());
        return 95;
    }
    if (WaitForSingleObject(process.hProcess, 120000) != WAIT_OBJECT_0) return 94;
    GetExitCodeProcess(process.hProcess, &status);
    return (int)status;
}
