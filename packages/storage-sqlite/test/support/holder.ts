import { sqliteStorage } from '../../src/index'

// This program opens the file that the command line names, prints the result, and holds the file open until the process
// is killed.
const storage = sqliteStorage({ path: process.argv[2] ?? '' })
try {
  await storage.migrate()
  process.stdout.write('open\n')
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
}
// No code refers to the store any longer. The store must keep its lock, although garbage collection runs.
setInterval(() => globalThis.gc?.(), 20)
