/* Chunks that double in size; what is larger than a chunk gets one of its own.
** */

#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined __SANITIZE_ADDRESS__
#define ARENA_WATCHED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_WATCHED 1
#endif
#endif

enum { ALIGNMENT = 16, FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

/* A sanitizer knows nothing of what is inside a chunk: it is told, and there is a
** gap behind each block, so that who reads or writes beyond it is noticed. */
#ifdef ARENA_WATCHED
#include <sanitizer/asan_interface.h>
enum { GAP = ALIGNMENT };
#define FORBID(from, bytes) __asan_poison_memory_region((from), (bytes))
#define ALLOW(from, bytes) __asan_unpoison_memory_region((from), (bytes))
#else
enum { GAP = 0 };
#define FORBID(from, bytes) ((void)(from))
#define ALLOW(from, bytes) ((void)(from))
#endif

/* A chunk is its header followed by its bytes.  The newest chunk with room is
** the head of the list; a chunk made for one large request goes behind it, so
** that the room left in the head is not lost. */
typedef struct chunk chunk;
struct chunk {
  chunk *next;
  size_t bytes; /* of the whole chunk, header included */
};

struct arena {
  chunk *chunks;
  char *free, *end; /* the unused rest of the head */
  size_t next_bytes;
};

enum { HEADER = (sizeof(chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

arena *arena_create(void)
{
  arena *a = mem_alloc(sizeof *a);
  a->next_bytes = FIRST_CHUNK;
  return a;
}

void arena_destroy(arena *a)
{
  if (!a)
    return;
  for (chunk *c = a->chunks, *next; c; c = next) {
    next = c->next;
    ALLOW(c, c->bytes);
    mem_free(c, c->bytes);
  }
  mem_free(a, sizeof *a);
}

/* The chunk is not in the arena before it exists: when memory runs out here,
** the arena is as it was and can be destroyed. */
static chunk *new_chunk(size_t bytes)
{
  chunk *c = mem_alloc(bytes);
  c->bytes = bytes;
  FORBID((char *)c + HEADER, bytes - HEADER);
  return c;
}

static void *alloc_alone(arena *a, size_t bytes)
{
  chunk *c = new_chunk(HEADER + bytes);
  if (a->chunks) {
    c->next = a->chunks->next;
    a->chunks->next = c;
  } else {
    a->chunks = c;
    a->free = a->end = (char *)c + c->bytes;
  }
  return (char *)c + HEADER;
}

static void add_head(arena *a)
{
  chunk *c = new_chunk(a->next_bytes);
  c->next = a->chunks;
  a->chunks = c;
  a->free = (char *)c + HEADER;
  a->end = (char *)c + c->bytes;
  if (a->next_bytes < LARGEST_CHUNK)
    a->next_bytes *= 2;
}

static void *take(arena *a, size_t rounded)
{
  if (rounded > (size_t)(a->end - a->free)) {
    if (rounded > a->next_bytes / 4)
      return alloc_alone(a, rounded);
    add_head(a);
  }
  void *result = a->free;
  a->free += rounded;
  assert(a->free <= a->end);
  return result;
}

void *arena_alloc(arena *a, size_t bytes)
{
  if (bytes > PTRDIFF_MAX - HEADER - ALIGNMENT - GAP)
    mem_give_up();
  void *result = take(a, (bytes + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  ALLOW(result, bytes);
  return result;
}

char *arena_copy(arena *a, const char *string, size_t length)
{
  char *result = arena_alloc(a, length == SIZE_MAX ? length : length + 1);
  if (length)
    memcpy(result, string, length);
  return result; /* the memory is zeroed: the 0 is there */
}

char *arena_printf(arena *a, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  assert(length >= 0);
  char *result = arena_alloc(a, (size_t)length + 1);
  va_start(arguments, format);
  vsnprintf(result, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return result;
}

void *arena_grow(arena *a, void *data, size_t len, size_t *cap, size_t size)
{
  size_t more = *cap ? mem_product(*cap, 2) : 4;
  void *grown = arena_alloc(a, mem_product(more, size));
  if (len)
    memcpy(grown, data, len * size);
  *cap = more;
  return grown;
}
