type Typed = Float64Array | Int32Array | Uint32Array | Uint8Array | Uint16Array

/** Returns a copy of an array with room for `length` entries. */
export const grown = <T extends Typed>(array: T, length: number): T => {
  const bigger = new (array.constructor as new (length: number) => T)(length)
  bigger.set(array as never)
  return bigger
}

/** A list of integers that doubles its memory when full. `clear` keeps the memory for reuse. */
export class IntList {
  data = new Int32Array(64)
  length = 0

  push(value: number): void {
    if (this.length === this.data.length) this.data = grown(this.data, this.length * 2)
    this.data[this.length++] = value
  }

  pop(): number | undefined {
    return this.length > 0 ? this.data[--this.length] : undefined
  }

  clear(): void {
    this.length = 0
  }
}

/** Assigns numbers to strings: equal strings get equal numbers, from 1 on. The number 0 means "no value". */
export class Interner {
  private readonly numbers = new Map<string, number>()
  readonly texts: string[] = ['']

  of(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    const number = this.texts.length
    this.texts.push(text)
    this.numbers.set(text, number)
    return number
  }

  get size(): number {
    return this.texts.length - 1
  }

  clear(): void {
    this.numbers.clear()
    this.texts.length = 1
  }
}

/**
 * Returns a 32-bit hash of a text (FNV-1a). Texts with different hashes differ; equal hashes do not prove that the
 * texts are equal.
 */
export const textHash = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash | 0
}
