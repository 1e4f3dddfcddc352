import './problem-list.css'
import type { ProjectProblem } from '@matchyard/client/admin'
import { placeOf } from '../../data/problems'
import { Shape, Text, Time } from '../../ui'

/** Problems under each other; each leads to the place that mends it. */
export function ProblemList({ of }: { readonly of: readonly ProjectProblem[] }) {
  return (
    <ul class="problem-list">
      {of.map((problem) => {
        const { code, severity, sentence, subject, since } = problem
        const [address, label] = placeOf(problem)
        return (
          <li key={`${code} ${subject.id} ${sentence}`}>
            <Shape tone={severity === 'error' ? 'bad' : 'wait'} />
            <div>
              <p>
                <span class="unseen">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
                <Text lines={6}>{sentence}</Text>
              </p>
              <span class="quiet small">
                since <Time at={since} />
              </span>
            </div>
            <a class="lead small" href={address}>
              {label}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
