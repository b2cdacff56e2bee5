#include "unit.h"

#include "base/alloc.h"
#include "base/sha256.h"

static void expect(const char *bytes, size_t n, const char *digest)
{
  char found[SHA256_TEXT];
  sha256_text(bytes, n, found);
  assert_string_equal(found, digest);
}

/* The examples of FIPS 180-4, and lengths around the end of a block. */
static void known_texts(void **state)
{
  (void)state;
  expect("", 0,
         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect("abc", 3,
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  enum { MANY = 1000000 };
  char *many = mem_alloc(MANY);
  memset(many, 'a', MANY);
  expect(many, MANY,
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  expect(many, 55,
         "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  expect(many, 64,
         "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  mem_free(many, MANY);
}

UNIT_MAIN(UNIT(known_texts))
