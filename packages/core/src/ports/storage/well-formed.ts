import type { Commit } from './commit'

/**
 * Throws an Error when a commit breaks a rule that correct code never breaks: every write has its own id and the next version, and a commit
 * names nothing twice. Adapters call this before they read their data, so that all adapters refuse the same commits.
 */
export function assertWellFormed(commit: Commit): void {
  const once = distinct(commit.id)
  for (const write of commit.writes) {
    once(`${write.kind} ${write.id}`)
    if (!('put' in write)) continue
    const version = write.expected === 'absent' ? 1 : write.expected + 1
    if (write.put.id !== write.id || write.put.version !== version) {
      throw new Error(`commit ${commit.id}: ${write.kind} ${write.id} must be put as itself in version ${version}`)
    }
  }
  for (const event of commit.events) once(`event of ${event.lobbyId}`)
  for (const job of commit.jobs) once(`job ${job.id}`)
}

function distinct(commitId: string): (name: string) => void {
  const seen = new Set<string>()
  return (name) => {
    if (seen.has(name)) throw new Error(`commit ${commitId} names ${name} twice`)
    seen.add(name)
  }
}
