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
 * Notes about ended servers are packed by threads of their own, in time that is not the simulation's: a run would be another one each time. From
 * here on they are packed at once, until the function that is returned is called.
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
