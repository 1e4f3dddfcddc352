import { defineCommand } from 'citty'
import { examine } from '../config/serve-config'
import { type CheckResult, examineAll } from '../doctor/check'
import { CHECKS } from '../doctor/checks'
import { print } from '../service/print'
import { WORKERS_OPTION, withWorkers } from './workers-option'

/** Checks everything that `serve` needs. For each fault or warning, prints the command or setting that corrects it. */
export const doctor = defineCommand({
  meta: { name: 'doctor', description: 'Check this machine and its configuration for `serve`.' },
  args: { json: { type: 'boolean', description: 'As JSON', default: false }, workers: WORKERS_OPTION },
  async run({ args }) {
    const results = await examineAll(CHECKS, examine(withWorkers(process.env, args.workers)))
    const healthy = results.every(({ status }) => status !== 'fail')
    const text = args.json ? `${JSON.stringify({ healthy, checks: results }, null, 2)}\n` : textOf(results)
    await print(text)
    process.exit(healthy ? 0 : 1)
  },
})

function textOf(results: readonly CheckResult[]): string {
  const lines = results.flatMap(({ name, status, message, mend }) => [
    `${status.padEnd(4)}  ${name.padEnd(14)}  ${message}`,
    ...(status === 'ok' ? [] : [`      ${''.padEnd(14)}  → ${mend}`]),
  ])
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length
  return `${lines.join('\n')}\n\n${results.length} checks: ${count('fail')} failed, ${count('warn')} with a warning\n`
}
