import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERROR_CATALOGUE } from '@matchyard/core'
import { describe, expect, it } from 'vitest'
import { errorCodesFile } from '../../src/engines/error-codes'
import { guidOf, unityAssets } from '../../src/unity-metas.mjs'

const PACKAGE = fileURLToPath(new URL('../../../engines/unity', import.meta.url))
const read = (path: string) => readFileSync(join(PACKAGE, path), 'utf8')

describe('the Unity package', () => {
  it('has a .meta with a GUID of its own for each file, and none besides: Unity passes over the others', () => {
    const { assets, metas } = unityAssets()
    expect(metas, 'a .meta is missing: run `npm run generate`').toEqual(assets.map((asset) => `${asset}.meta`).sort())
    const guids = metas.map(guidOf)
    expect(guids).not.toContain(undefined)
    expect(new Set(guids).size).toBe(metas.length)
  })

  it('names every error of the catalogue, and one of its own', () => {
    const codes = read('Runtime/ErrorCodes.cs')
    expect(codes, 'Runtime/ErrorCodes.cs is out of date: run `npm run generate`').toBe(errorCodesFile(ERROR_CATALOGUE))
  })

  it('has the samples and the version that it says', () => {
    const manifest = JSON.parse(read('package.json')) as { version: string; samples: { path: string }[] }
    for (const { path } of manifest.samples) expect(existsSync(join(PACKAGE, path)), path).toBe(true)
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}\n`)
  })

  it('takes ten lines from Play to Endpoint', () => {
    const lines = read('README.md').split('\n')
    const first = lines.findIndex((line) => line.includes('.Play('))
    const last = lines.findIndex((line) => line.includes('.Endpoint('))
    expect(last - first + 1).toBeLessThanOrEqual(12)
  })
})
