import { sqliteStorage } from '../../src/index'

// Opens the file named on the command line, says how that went, and holds it until it is killed.
const storage = sqliteStorage({ path: process.argv[2] ?? '' })
try {
  await storage.migrate()
  process.stdout.write('open\n')
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
}
// A forgotten store keeps its lock: what is collected here must not free the file.
setInterval(() => globalThis.gc?.(), 20)
