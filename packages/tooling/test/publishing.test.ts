import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Manifest, publishedPackages } from '../src/published.mjs'
import { type Archive, archiveFaults, packedManifestFaults } from '../src/publishing/archive-faults.ts'
import { changelogFaults, released } from '../src/publishing/changelog.ts'
import { manifestFaults } from '../src/publishing/manifest-faults.ts'
import { inOrderOfPublishing } from '../src/publishing/order.ts'

const ROOT = join(import.meta.dirname, '../../..')
const packages = publishedPackages()
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest

const archive = (files: Readonly<Record<string, string>>, bytes = 1_000): Archive => ({
  bytes,
  files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
})
const whole = {
  'package.json': '{}',
  'README.md': '',
  LICENSE: '',
  'dist/index.js': 'export {}\n//# sourceMappingURL=index.js.map',
  'dist/index.js.map': '{"sources":["../src/index.ts"],"sourcesContent":["export {}"]}',
  'dist/index.d.ts': '',
}
const faultsOf = (files: Readonly<Record<string, string>>, name = '@matchyard/core') => [
  ...archiveFaults(archive(files), name, '/home/ann/matchyard'),
]

describe('an archive', () => {
  it('holds what is compiled, and what is said of it', () => expect(faultsOf(whole)).toEqual([]))

  it.each([
    ...['dist/.built', 'dist/index.test.js', 'dist/limits.bench.cjs', 'src/index.ts', 'test/core.test.ts'],
    ...['isolate-0x1-v8.log', 'dist/page.cpuprofile', 'dist/.env', 'dist/page/index.html', 'supervisor/main.mjs'],
  ])('does not hold %s', (file) => {
    expect(faultsOf({ ...whole, [file]: '' })).toEqual([`its archive holds ${file}`])
  })

  it.each(['package.json', 'README.md', 'LICENSE'])('holds its %s', (file) => {
    const { [file]: _, ...rest } = whole as Readonly<Record<string, string>>
    expect(faultsOf(rest)).toEqual([`its archive holds no ${file}`])
  })

  it('has what only its own package has', () => {
    const page = { ...whole, 'dist/page/index.html': '', 'dist/page/assets/index-Bh_a-zH9.css': '' }
    expect(faultsOf(page, '@matchyard/console')).toEqual([])
  })

  it('has maps of sources that are in them, or beside them, and of files that are there', () => {
    const map = (sources: readonly string[]) => ({ ...whole, 'dist/index.js.map': JSON.stringify({ sources }) })
    expect(faultsOf(map(['index.js']))).toEqual([])
    expect(faultsOf(map(['../src/gone.ts']))).toEqual([
      'dist/index.js.map is a map of ../src/gone.ts, which is not there',
    ])
    expect(faultsOf({ ...whole, 'dist/index.js': 'export {}' })).toEqual(['dist/index.js.map is the map of nothing'])
  })

  it('names no place on the machine that made it, and is no larger than it needs', () => {
    expect(faultsOf({ ...whole, 'dist/index.d.ts': '// /home/ann/matchyard/packages' })).toEqual([
      'dist/index.d.ts names a place on the machine that made it',
    ])
    expect([...archiveFaults(archive(whole, 5_000_000), '@matchyard/core', '/x')]).toHaveLength(1)
  })

  it('wants the packages that are published with it, exactly; as a peer any that goes with it', () => {
    const versions = new Map([['@matchyard/core', '0.3.0']])
    const faults = (manifest: Partial<Manifest>) => [
      ...packedManifestFaults({ name: 'x', version: '0.3.0', ...manifest }, versions),
    ]
    expect(faults({ dependencies: { '@matchyard/core': '0.3.0', zod: '^4.0.0' } })).toEqual([])
    expect(faults({ peerDependencies: { '@matchyard/core': '^0.3.0' } })).toEqual([])
    expect(faults({ dependencies: { '@matchyard/core': 'workspace:*' } })).toHaveLength(1)
    expect(faults({ optionalDependencies: { '@matchyard/core': 'workspace:*' } })).toHaveLength(1)
    expect(faults({ dependencies: { left: 'link:../left' } })).toHaveLength(1)
    expect(faults({ dependencies: { 'left-13': 'npm:left@13.2.0' } })).toEqual([])
    expect(faults({ peerDependencies: { '@matchyard/core': '0.3.0' } })).toHaveLength(1)
    expect(faults({ dependencies: { other: 'file:../other' } })).toHaveLength(1)
    expect(faults({ scripts: { postinstall: 'node steal.js' } })).toHaveLength(1)
  })
})

describe('every package', () => {
  const workspace = {
    root: ROOT,
    node: read('package.json').engines?.node ?? '',
    version: packages[0]?.manifest.version ?? '',
  }

  it.each(packages.map((one) => [one.manifest.name, one] as const))('%s says what a registry asks for', (_, one) => {
    expect([...manifestFaults(one, workspace)]).toEqual([])
  })

  it('would be told if it did not', () => {
    const [one] = packages
    if (one === undefined) throw new Error('there are no packages')
    const bare = { folder: one.folder, manifest: { name: one.manifest.name, version: '9.9.9' } }
    expect([...manifestFaults(bare, workspace)]).toHaveLength(10)
  })

  it('is published after all that it needs', () => {
    const order = inOrderOfPublishing(packages.map(({ manifest }) => manifest)).map(({ name }) => name)
    expect(order).toHaveLength(packages.length)
    for (const { manifest } of packages) {
      const needs = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
      const ours = needs.filter((need) => order.includes(need))
      expect(ours.filter((need) => order.indexOf(need) > order.indexOf(manifest.name))).toEqual([])
    }
    const circle = [
      { name: 'a', version: '1.0.0', dependencies: { b: '*' } },
      { name: 'b', version: '1.0.0', peerDependencies: { a: '*' } },
    ]
    expect(() => inOrderOfPublishing(circle)).toThrow('a circle: a → b → a')
  })
})

describe('the changelog', () => {
  const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const { version } = read('packages/server/package.json')

  it('says what this version holds, or the next', () => {
    expect([...changelogFaults(text, version, { isDryRun: true })]).toEqual([])
  })

  it('must say it of a version that is published', () => {
    const next = '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A fault.\n'
    expect([...changelogFaults(next, '0.2.0', { isDryRun: false })]).toHaveLength(1)
    const dated = released(next, '0.2.0', new Date('2026-12-01'))
    expect(dated).toContain('## 0.2.0 - 2026-12-01')
    expect([...changelogFaults(dated, '0.2.0', { isDryRun: false })]).toEqual([])
    expect([...changelogFaults('# Changelog\n\n## 0.2.0 - 2026-12-01\n', '0.2.0', { isDryRun: false })]).toHaveLength(1)
    expect(() => released(dated, '0.3.0', new Date())).toThrow('nothing under Unreleased')
  })
})
