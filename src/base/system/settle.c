/* Asks the linker where programs and libraries lie. */

#include "base/system/settle.h"

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Global: set once, when the program starts. */
static bool is_allowed;

void settle_allow(void)
{
  is_allowed = true;
}

/* Whole pages of parts that nobody writes to, which are as they are in their
** files. */
static int drop_pages(struct dl_phdr_info *info, size_t size, void *context)
{
  uintptr_t page = *(const uintptr_t *)context;
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W)
      continue;
    uintptr_t from = info->dlpi_addr + part->p_vaddr;
    uintptr_t end = from + part->p_filesz;
    from = (from + page - 1) / page * page;
    end = end / page * page;
    if (from < end)
      (void)madvise((void *)from, end - from, MADV_DONTNEED);
  }
  return 0;
}

bool settle_memory(void)
{
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  if (!is_allowed)
    return false;
#ifdef __GLIBC__
  (void)malloc_trim(0);
#endif
#ifdef NDEBUG
  (void)dl_iterate_phdr(drop_pages, &page);
  return true;
#else
  (void)page, (void)drop_pages;
  return false;
#endif
}
