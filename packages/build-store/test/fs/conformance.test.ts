import { buildStoreConformance } from '@matchyard/testkit/build-store'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { describe, expect, it } from 'vitest'
import { fileBuildStore } from '../../src/fs/index'

describe('the build store suite', () => {
  for (const { name, run } of buildStoreConformance()) {
    it(name, async () => {
      const directory = await temporaryFolder()
      const put = () => expect.fail('it takes no direct uploads')
      await run({ node: async () => fileBuildStore({ directory }), folder: temporaryFolder, put })
    })
  }
})
