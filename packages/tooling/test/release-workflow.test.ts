import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { describe, expect, it } from 'vitest'

type Parser = typeof import('@actions/workflow-parser')

const FOLDER = join(import.meta.dirname, '../../../.github/workflows')

/**
 * Returns the errors of GitHub's own parser in a workflow. tsImport is needed because the parser imports JSON without
 * import attributes, which Node.js refuses.
 */
async function faultsOf(name: string, content: string): Promise<readonly string[]> {
  const parser = (await tsImport('@actions/workflow-parser', import.meta.url)) as Parser
  const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter())
  if (value !== undefined) await parser.convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

describe('workflows', () => {
  it.each(readdirSync(FOLDER))('%s is one', async (name) => {
    expect(await faultsOf(name, readFileSync(join(FOLDER, name), 'utf8'))).toEqual([])
  })

  it('would not be, were a word of it misspelled', async () => {
    const text = readFileSync(join(FOLDER, 'release.yml'), 'utf8')
    expect(await faultsOf('release.yml', text.replace('runs-on:', 'run-on:'))).not.toEqual([])
    expect(await faultsOf('release.yml', text.replace('id-token: write', 'id-token: writes'))).not.toEqual([])
  })
})
