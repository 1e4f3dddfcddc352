import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

type Done = (error: Error | null, result?: Buffer) => void

const atOnce =
  (pack: (input: zlib.InputType) => Buffer) =>
  (input: zlib.InputType, done: Done): void => {
    void Promise.resolve(input)
      .then(pack)
      .then((result) => done(null, result), done)
  }

/**
 * Makes the packing of notes synchronous, until the returned function is called. Threads would pack the notes in real
 * time, so that no two runs with the same seed would be equal.
 */
export function packAtOnce(): () => void {
  const { gzip, gunzip } = zlib
  Object.assign(zlib, { gzip: atOnce(zlib.gzipSync), gunzip: atOnce(zlib.gunzipSync) })
  syncBuiltinESMExports()
  return () => {
    Object.assign(zlib, { gzip, gunzip })
    syncBuiltinESMExports()
  }
}
