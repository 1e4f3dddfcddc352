import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

/*
 * Notes about ended servers are packed by threads of their own, in time that is not the simulation's: a run would be another one each time. Here
 * they are packed at once.
 */

type Done = (error: Error | null, result?: Buffer) => void

const atOnce =
  (pack: (input: zlib.InputType) => Buffer) =>
  (input: zlib.InputType, done: Done): void => {
    void Promise.resolve(input)
      .then(pack)
      .then((result) => done(null, result), done)
  }

Object.assign(zlib, { gzip: atOnce(zlib.gzipSync), gunzip: atOnce(zlib.gunzipSync) })
syncBuiltinESMExports()
