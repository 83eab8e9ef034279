/* Faults of disk, power and clock, for tests: loaded before the C library with LD_PRELOAD.
 *
 * Whatever changes a file below FAULT_DIR is a step. At step FAULT_STEP happens what FAULT_KIND says:
 *   kill   the process ends, as by kill -9, before the step
 *   tear   the same, in the middle of a write
 *   full   the disk is full from then on: a part of a write succeeds, then none
 *   error  this one step fails with an I/O error
 * FAULT_COUNT names a file that gets the number of steps when the process ends by itself.
 *
 * FAULT_DISK names a directory that holds what is on the disk for certain: files as they were when they were last
 * synced, under their numbers, and the names in directories as they were when these were synced. That is all that a
 * power failure has to leave.
 *
 * FAULT_CLOCK is a number of seconds by which the clock on the wall jumps forth and back again and again. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { NONE, KILL, TEAR, FULL, ERROR };

static const char *directory, *disk, *count_file;
static enum kind kind = NONE;
static long fault_step, jump;
static atomic_long steps, looks;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("FAULT_KIND");
    directory = getenv("FAULT_DIR");
    disk = getenv("FAULT_DISK");
    count_file = getenv("FAULT_COUNT");
    fault_step = getenv("FAULT_STEP") ? atol(getenv("FAULT_STEP")) : 0;
    jump = getenv("FAULT_CLOCK") ? atol(getenv("FAULT_CLOCK")) : 0;
    if (text && !strcmp(text, "kill")) kind = KILL;
    if (text && !strcmp(text, "tear")) kind = TEAR;
    if (text && !strcmp(text, "full")) kind = FULL;
    if (text && !strcmp(text, "error")) kind = ERROR;
}

__attribute__((destructor)) static void end(void) {
    if (!count_file) return;
    FILE *file = fopen(count_file, "w");
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&steps));
        fclose(file);
    }
}

static int is_below(const char *path) {
    size_t length = directory ? strlen(directory) : 0;
    return length && !strncmp(path, directory, length) && (path[length] == '/' || !path[length]);
}

static int concerns(int fd) {
    char link[64], path[PATH_MAX];
    if (!directory) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* What is to happen at this step: the kind, or nothing. */
static enum kind step(void) {
    long now = atomic_fetch_add(&steps, 1) + 1;
    if (kind == FULL) return fault_step && now >= fault_step ? FULL : NONE;
    if (now != fault_step) return NONE;
    if (kind == KILL) kill(getpid(), SIGKILL);
    return kind;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static ssize_t failed(int error) {
    errno = error;
    return -1;
}

/* A write in the middle of which something happens. `half` writes a part of it. */
#define WRITE(half, whole) \
    do { \
        long now = atomic_load(&steps) + 1; \
        switch (concerns(fd) ? step() : NONE) { \
        case TEAR: if (count > 1) (void)!(half); die(); break; \
        case FULL: if (now == fault_step && count > 1) return half; return failed(ENOSPC); \
        case ERROR: return failed(EIO); \
        default: break; \
        } \
        return whole; \
    } while (0)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, "write", int, const void *, size_t);
    WRITE(real(fd, bytes, count / 2), real(fd, bytes, count));
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    WRITE(real(fd, bytes, count / 2, offset), real(fd, bytes, count, offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    WRITE(real(fd, bytes, count / 2, offset), real(fd, bytes, count, offset));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    WRITE(real(fd, parts, count / 2), real(fd, parts, count));
}

/* Steps that happen as a whole or not at all. */
#define STEP(applies, no_room) \
    do { \
        switch ((applies) ? step() : NONE) { \
        case TEAR: die(); break; \
        case FULL: if (no_room) return (int)failed(ENOSPC); break; \
        case ERROR: return (int)failed(EIO); \
        default: break; \
        } \
    } while (0)

int ftruncate(int fd, off_t length) {
    REAL(int, "ftruncate", int, off_t);
    STEP(concerns(fd), 0);
    return real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    STEP(concerns(fd), 0);
    return real(fd, length);
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    STEP(is_below(from), 0);
    return real(from, to);
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    STEP(is_below(path), 0);
    return real(path);
}

/* The name under which the disk knows a file: numbers of files are used again, together with their birth they are not. */
static int name_of(int fd, const char *path, char *name, size_t size, int *is_directory) {
    struct statx status;
    int flags = path ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH;
    if (statx(fd, path ? path : "", flags, STATX_BASIC_STATS | STATX_BTIME, &status)) return -1;
    *is_directory = S_ISDIR(status.stx_mode);
    snprintf(name, size, "%llu-%lld-%u", (unsigned long long)status.stx_ino, (long long)status.stx_btime.tv_sec,
             status.stx_btime.tv_nsec);
    return 0;
}

static void put_names(int fd, FILE *to) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char name[128];
        int is_directory;
        if (entry->d_name[0] != '.' && !name_of(fd, entry->d_name, name, sizeof name, &is_directory))
            fprintf(to, "%s %s\n", name, entry->d_name);
    }
    if (entries) closedir(entries);
}

/* What was synced is on the disk. */
static void keep(int fd) {
    char name[128], part[PATH_MAX + 32], path[PATH_MAX], bytes[65536];
    int is_directory;
    if (!disk || name_of(fd, NULL, name, sizeof name, &is_directory)) return;
    snprintf(path, sizeof path, "%s/%s", disk, name);
    snprintf(part, sizeof part, "%s.%ld.part", path, (long)gettid());
    FILE *to = fopen(part, "w");
    if (!to) return;
    if (is_directory) {
        put_names(fd, to);
    } else {
        off_t offset = 0;
        for (ssize_t count; (count = pread(fd, bytes, sizeof bytes, offset)) > 0; offset += count)
            fwrite(bytes, 1, (size_t)count, to);
        if (!offset && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            /* It cannot be read through this descriptor. */
            char self[64];
            snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
            int again = open(self, O_RDONLY);
            for (ssize_t count; again >= 0 && (count = read(again, bytes, sizeof bytes)) > 0;)
                fwrite(bytes, 1, (size_t)count, to);
            if (again >= 0) close(again);
        }
    }
    fclose(to);
    REAL(int, "rename", const char *, const char *);
    real(part, path);
}

int fsync(int fd) {
    REAL(int, "fsync", int);
    int applies = concerns(fd);
    STEP(applies, 0);
    int result = real(fd);
    if (!result && applies) keep(fd);
    return result;
}

int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    int applies = concerns(fd);
    STEP(applies, 0);
    int result = real(fd);
    if (!result && applies) keep(fd);
    return result;
}

/* The clock on the wall: right, then fast, then slow, each for a number of looks at it. */
static long wrong_by(void) {
    if (!jump) return 0;
    long turn = atomic_fetch_add(&looks, 1) / 7 % 3;
    return turn == 0 ? 0 : turn == 1 ? jump : -jump;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(int, "clock_gettime", clockid_t, struct timespec *);
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += wrong_by();
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    REAL(int, "gettimeofday", struct timeval *, void *);
    int result = real(now, zone);
    now->tv_sec += wrong_by();
    return result;
}

time_t time(time_t *now) {
    struct timespec spec;
    clock_gettime(CLOCK_REALTIME, &spec);
    if (now) *now = spec.tv_sec;
    return spec.tv_sec;
}
