const POLYNOMIAL = 0x04c1_1db7;

let cachedTable: Uint32Array | undefined;

/** The checksum of an Ogg page, its own four bytes at `checksumPosition` counted as zero. */
export function oggChecksum(page: Uint8Array, checksumPosition: number): number {
  const table = checksumTable();
  let checksum = 0;
  for (let index = 0; index < page.length; index++) {
    const isChecksum = index >= checksumPosition && index < checksumPosition + 4;
    const byte = isChecksum ? 0 : (page[index] as number);
    checksum = (checksum << 8) ^ (table[(checksum >>> 24) ^ byte] as number);
  }
  return checksum >>> 0;
}

function checksumTable(): Uint32Array {
  if (cachedTable !== undefined) return cachedTable;
  const table = new Uint32Array(256);
  for (let index = 0; index < 256; index++) {
    let value = index << 24;
    for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ POLYNOMIAL : value << 1;
    table[index] = value;
  }
  cachedTable = table;
  return table;
}
