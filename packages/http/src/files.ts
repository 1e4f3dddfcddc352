/**
 * A text that the service sends unchanged, plain or gzipped. Each form is made once and shared by all its readers, so a
 * caller that does not read its answer costs a reference and not a copy.
 */
export interface SharedFile {
  /** Returns the text in UTF-8. */
  plain(): Promise<Uint8Array<ArrayBuffer>>
  /** Returns the gzipped text. */
  packed(): Promise<Uint8Array<ArrayBuffer>>
}

/** Returns the shared file of a text. `make` runs when the file is first requested. */
export function sharedFile(make: () => string): SharedFile {
  const plain = onceMade(async () => new TextEncoder().encode(make()))
  return { plain, packed: onceMade(async () => gzipped(await plain())) }
}

/** Returns a function that calls `make` once for all its callers, and again only after a failure. */
export function onceMade<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/**
 * Whether a caller accepts gzip, by its `accept-encoding` header. `gzip;q=0` is an explicit refusal (RFC 9110 §12.5.3).
 */
export function takesGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((one) => {
    const [coding = '', weight = ''] = one.split(';')
    const [name, value] = weight.trim().split('=')
    return coding.trim().toLowerCase() === 'gzip' && !(name === 'q' && Number(value) === 0)
  })
}
