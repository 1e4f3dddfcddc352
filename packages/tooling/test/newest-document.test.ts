import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { documentsOf, newestDocument } from '../src/newest-document.mjs'
import { temporaryFolder } from '../src/temporary-folder'

const FOLDERS = ['docs/cookbook', 'packages/core', 'packages/engines/unity', 'examples/arena']
const README = 'packages/core/README.md'

async function repository() {
  const root = await temporaryFolder()
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true })
  const write = (path: string, at: number) => {
    writeFileSync(join(root, path), '# A page')
    utimesSync(join(root, path), at, at)
  }
  for (const path of ['README.md', 'CHANGELOG.md', 'docs/README.md', 'docs/cookbook/bans.md', README])
    write(path, 1_000)
  for (const folder of ['docs', 'docs/cookbook']) utimesSync(join(root, folder), 1_000, 1_000)
  return { root, write }
}

it('the documents of a build are newer once the README of a package is', async () => {
  const { root, write } = await repository()
  expect(newestDocument(root)).toBe(1_000_000)
  write(README, 2_000)
  expect(newestDocument(root)).toBe(2_000_000)
  write('packages/engines/unity/README.md', 3_000)
  expect(newestDocument(root)).toBe(3_000_000)
})

it('the folders are those of which the console makes pages', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const pages = readFileSync(join(root, 'packages/console/src/docs/pages.ts'), 'utf8')
  const listOf = (name: string) => [
    ...(new RegExp(`${name} = \\[([^\\]]*)`).exec(pages)?.[1] ?? '').matchAll(/'([^']+)'/g),
  ]
  const [withAll, withReadmes] = ['WITH_ALL', 'WITH_READMES'].map((name) => listOf(name).map(([, folder]) => folder))
  const found = documentsOf(root)
  expect(withAll?.length).toBeGreaterThan(0)
  for (const folder of withAll ?? []) expect(found).toContain(folder)
  const readmes = found.filter((path) => path.endsWith('/README.md') && !path.startsWith('docs/'))
  expect([...new Set(readmes.map((path) => dirname(dirname(path))))].sort()).toEqual([...(withReadmes ?? [])].sort())
})
