import type { TestProject } from 'vitest/node'
import { startServer } from '../../src/testing/server'

/**
 * Provides one server for the whole test run: the server of DATABASE_URL, or one that is started here and stopped at
 * the end.
 */
export async function setup(project: TestProject) {
  const named = process.env.DATABASE_URL
  if (named?.startsWith('postgres')) {
    project.provide('databaseUrl', named)
    return
  }
  const server = await startServer()
  project.provide('databaseUrl', server.url)
  return () => server.stop()
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}
