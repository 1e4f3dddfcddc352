import { createRequire } from 'node:module'
import type Library from 'better-sqlite3'

/**
 * Name of the SQLite package for this version of Node. No release of better-sqlite3 runs on all supported versions of
 * Node (docs/adr/0158). Release 13 needs Node-API 10 and crashes on Node 20, and on 22 before 22.14. Release 12 aborts
 * the process since Node 24.19, because of code from Node's headers.
 */
const NAME = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3'

const require = createRequire(import.meta.url)

/** Returns the path of the SQLite library for this Node, for threads that cannot import modules of this package. */
export const libraryPath = (): string => require.resolve(NAME)

export const SqliteDatabase: typeof Library = loaded()

function loaded(): typeof Library {
  try {
    return require(NAME)
  } catch (cause) {
    const remedy =
      'install it again where a C++ compiler is at hand, or use Node 22.14 or newer, for which nothing is built'
    throw new Error(`the SQLite library for Node ${process.version} (${NAME}) is not installed: ${remedy}`, { cause })
  }
}
