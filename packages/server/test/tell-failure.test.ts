import { expect, test } from 'vitest'
import { faultsOf } from '../src/service/tell-failure'

test.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  'a package that is missing (%s) is told without a stack',
  (code) => {
    const cause = Object.assign(new Error('Cannot find package'), { code })
    expect(faultsOf(new Error('containers need the package "dockerode"', { cause }))).toEqual([
      'containers need the package "dockerode"',
    ])
    expect(faultsOf(new Error('a bug'))[0]).toMatch(/^Error: a bug\n +at /)
  },
)
