#include "certificate/certificate_read.h"

#include "base/alloc.h"
#include "certificate/state_run.h"
#include <string.h>
#include <zlib.h>

enum { HEAD_BYTES = 24, CHECK_BYTES = 4, TEXT_MAX = 1 << 26 };

static uint64_t number_at(const char *bytes, int count)
{
  uint64_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | (uint8_t)bytes[i];
  return value;
}

/* The length of the block there, all in all; 0: it is not whole. */
static size_t block_length(const char *block, size_t left)
{
  if (left < HEAD_BYTES + CHECK_BYTES)
    return 0;
  uint64_t raw = number_at(block + 8, 8), stored = number_at(block + 16, 8);
  if (raw > TEXT_MAX || stored > raw ||
      left - HEAD_BYTES - CHECK_BYTES < stored)
    return 0;
  size_t all = HEAD_BYTES + stored;
  return crc32_z(0, (const Bytef *)block, all) ==
                 number_at(block + all, CHECK_BYTES)
             ? all + CHECK_BYTES
             : 0;
}

static bool unpack(const char *block, text *out)
{
  size_t raw = number_at(block + 8, 8), stored = number_at(block + 16, 8);
  uLongf length = (uLongf)raw;
  if (stored == raw) {
    text_add_bytes(out, block + HEAD_BYTES, raw);
    return true;
  }
  Bytef *data = mem_try_alloc(raw + 1);
  if (!data)
    mem_give_up();
  bool good = uncompress(data, &length, (const Bytef *)block + HEAD_BYTES,
                         (uLong)stored) == Z_OK &&
              length == raw;
  if (good)
    text_add_bytes(out, (const char *)data, raw);
  mem_free(data, raw + 1);
  return good;
}

const char *certificate_model(const char *bytes, size_t length, text *out)
{
  static const char magic[8] = {'N', 'U', 'T', 'C', 'E', 'R', 'T', '1'};
  size_t at = sizeof magic, size;
  if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return "the file is not a certificate of this version";
  while ((size = block_length(bytes + at, length - at))) {
    if (number_at(bytes + at, 4) == BLOCK_MODEL)
      return unpack(bytes + at, out) ? NULL : "the certificate is damaged";
    at += size;
  }
  return "the certificate is damaged";
}
