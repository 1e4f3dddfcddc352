import { parser } from 'keep-a-changelog'

const LEAST_CHANGES = 1

/**
 * Yields the faults of a changelog, which must have the form of https://keepachangelog.com, for a release of `version`.
 */
export function* changelogFaults(
  text: string,
  version: string,
  { isDryRun }: { readonly isDryRun: boolean },
): Generator<string> {
  const { releases } = parser(text)
  for (const release of releases) {
    const changes = [...release.changes.values()].flat()
    const name = release.version ?? 'Unreleased'
    if (changes.length < LEAST_CHANGES) yield `CHANGELOG.md says nothing of ${name}`
    if (release.version !== undefined && release.date === undefined) yield `CHANGELOG.md says no date of ${name}`
  }
  const isTold = releases.some((release) => release.version === version)
  const isComing = releases.some((release) => release.version === undefined)
  if (isTold || (isDryRun && isComing)) return
  yield `CHANGELOG.md says nothing of ${version}: npm run release:version -- ${version}`
}

/** Returns the changelog with `Unreleased` renamed to `version` and dated `date`. */
export function released(text: string, version: string, date: Date): string {
  const changelog = parser(text)
  const coming = changelog.releases.find((release) => release.version === undefined)
  if (coming === undefined) throw new Error('CHANGELOG.md has nothing under Unreleased')
  coming.setVersion(version)
  coming.setDate(date)
  return changelog.toString()
}
