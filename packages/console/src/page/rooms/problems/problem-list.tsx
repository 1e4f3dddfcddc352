import './problem-list.css'
import type { ProjectProblem } from '@matchyard/client/admin'
import { useIsOperator } from '../../data/hooks'
import { href } from '../../data/route'
import { Shape, Text } from '../../ui'
import { Answer } from './answer'
import { Done } from './done'
import { leadsOf } from './leads'

/** List of problems. Each problem has links to the views in which the user can solve it. */
export function ProblemList({
  of,
  again,
}: {
  readonly of: readonly ProjectProblem[]
  /** Reads the problems again; with it, each problem has buttons that acknowledge and mute it. */
  readonly again?: () => Promise<void>
}) {
  const isOperator = useIsOperator()
  return (
    <ul class="problem-list">
      {of.map((problem) => {
        const { code, severity, sentence, subject } = problem
        return (
          <li key={`${code} ${subject.id} ${sentence}`}>
            <Shape tone={severity === 'error' ? 'bad' : 'wait'} />
            <div>
              <p>
                <span class="unseen">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
                <Text lines={6}>{sentence}</Text>
              </p>
              <Done of={problem} />
              {again !== undefined && <Answer of={problem} again={again} />}
            </div>
            <span class="leads small">
              {leadsOf(problem, isOperator).map(({ label, path, query }) => (
                <a key={label} href={`${href(...path)}${query === undefined ? '' : `?${new URLSearchParams(query)}`}`}>
                  {label}
                </a>
              ))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
