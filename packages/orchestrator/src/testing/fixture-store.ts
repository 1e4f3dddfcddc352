import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildStore, LaunchBuild } from '@matchyard/core/ports'
import { FIXTURE_EXECUTABLE, type FixtureName, ORCHESTRATOR_FIXTURES } from '@matchyard/testkit/orchestrator'

/** Returns the files of a fixture; undefined for the fixture `missing`. */
export const fixtureFiles = (name: FixtureName) => (name === 'missing' ? undefined : ORCHESTRATOR_FIXTURES[name])

/** A fixture as a ZIP build that is in a `FixtureStore`. */
export const fixtureBuild = (name: FixtureName): LaunchBuild => ({
  type: 'zip',
  buildId: `bld_${name}`,
  executablePath: FIXTURE_EXECUTABLE,
})

/** A build store with the fixtures of the orchestrators' conformance suite, as if they had been uploaded. */
export class FixtureStore implements Pick<BuildStore, 'has' | 'unpack'> {
  unpacked = 0
  /** The error with which the next unpacking fails; undefined when it succeeds. */
  trouble: Error | undefined

  async has(buildId: string): Promise<boolean> {
    return buildId.slice('bld_'.length) in ORCHESTRATOR_FIXTURES
  }

  async unpack(buildId: string, { directory }: { directory: string }): Promise<void> {
    if (this.trouble !== undefined) throw this.trouble
    this.unpacked++
    const files = fixtureFiles(buildId.slice('bld_'.length) as FixtureName) ?? []
    for (const { path, content, executable } of files) {
      await mkdir(dirname(join(directory, path)), { recursive: true, mode: 0o755 })
      await writeFile(join(directory, path), content, { mode: executable ? 0o755 : 0o644 })
    }
  }
}
