/**
 * A text of the service itself, as it goes over the wire: plain and gzipped, each made once and shared by all who are sent it, so that a
 * caller who does not read holds a place in it and no copy.
 */
export interface SharedFile {
  plain(): Promise<Uint8Array<ArrayBuffer>>
  packed(): Promise<Uint8Array<ArrayBuffer>>
}

/** The shared file of a text that is made when it is first asked for. */
export function sharedFile(make: () => string): SharedFile {
  const plain = onceMade(async () => new TextEncoder().encode(make()))
  return { plain, packed: onceMade(async () => gzipped(await plain())) }
}

/** Makes a value once for all waiting callers, and again only after a failure. */
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

/** Whether a caller takes gzip, by its `accept-encoding`; one with `q=0` is refused by name (RFC 9110 §12.5.3). */
export function takesGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((one) => {
    const [coding = '', weight = ''] = one.split(';')
    const [name, value] = weight.trim().split('=')
    return coding.trim().toLowerCase() === 'gzip' && !(name === 'q' && Number(value) === 0)
  })
}
