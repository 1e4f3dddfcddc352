import assert from 'node:assert/strict'
import { area } from './harness'

const it = area('images')

export const imageCases = [
  it('that cannot be had are answered with a reason', async (subject) => {
    const answer = await subject.orchestrator.prepareImage('::not an image::', () => {})
    assert.ok(!answer.ok)
    assert.ok(answer.message.length > 10, answer.message)
  }),

  it('and archives: an orchestrator says what it runs', async (subject) => {
    const { buildTypes, limitations } = subject.orchestrator.capabilities
    assert.ok(buildTypes.length > 0)
    for (const sentence of limitations) assert.match(sentence, /^[A-Z/].*\.$/)
  }),
]
