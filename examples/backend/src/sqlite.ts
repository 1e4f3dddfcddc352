import { createRequire } from 'node:module'
import type Library from 'better-sqlite3'

/** better-sqlite3 12 for Node 20, 13 for 22.14 and newer: neither runs on both. On one Node of your own, import the one that it needs. */
const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3'

export const Database: typeof Library = createRequire(import.meta.url)(name)
