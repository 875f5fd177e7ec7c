/**
 * Files that the process makes from now on have this mode, in octal digits; folders may be entered where files may be read. The umask of the
 * process does it, for all threads and whatever writes.
 */
export function limitFileModes(mode: string): void {
  const files = Number.parseInt(mode, 8);
  const folders = files | ((files & 0o444) >> 2);
  process.umask(0o777 & ~folders);
}
