import { sqliteStorage } from '../../src/index'

// Opens the file of the command line, prints the result, and holds the file until the process is killed.
const storage = sqliteStorage({ path: process.argv[2] ?? '' })
try {
  await storage.migrate()
  process.stdout.write('open\n')
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
}
// An unreferenced store keeps its lock: garbage collection must not release the file.
setInterval(() => globalThis.gc?.(), 20)
