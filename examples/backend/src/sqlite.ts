import { createRequire } from 'node:module'
import type Library from 'better-sqlite3'

/**
 * better-sqlite3 12 runs on Node 20, better-sqlite3 13 on Node 22.14 and newer; no version runs on both. With one
 * version of Node, import the package that it needs.
 */
const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3'

export const Database: typeof Library = createRequire(import.meta.url)(name)
