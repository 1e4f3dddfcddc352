import './problem-list.css'
import type { ProjectProblem } from '@matchyard/client/admin'
import { useIsOperator } from '../../data/hooks'
import { href } from '../../data/route'
import { Shape, Text, Time } from '../../ui'
import { leadsOf } from './leads'

/** List of problems. Each problem has links to the views in which the user can solve it. */
export function ProblemList({ of }: { readonly of: readonly ProjectProblem[] }) {
  const isOperator = useIsOperator()
  return (
    <ul class="problem-list">
      {of.map((problem) => {
        const { code, severity, sentence, subject, since } = problem
        return (
          <li key={`${code} ${subject.id} ${sentence}`}>
            <Shape tone={severity === 'error' ? 'bad' : 'wait'} />
            <div>
              <p>
                <span class="unseen">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
                <Text lines={6}>{sentence}</Text>
              </p>
              <span class="quiet small">
                started <Time at={since} />
              </span>
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
