import { useProblems } from '../../data/problems'
import { Shape } from '../../ui'

/** Badge with the number of problems; empty when there are no problems. */
export function ProblemBadge() {
  const { value } = useProblems().now
  if (value.is !== 'ready' || value.data.length === 0) return null
  const isGrave = value.data.some(({ severity }) => severity === 'error')
  return (
    <>
      <Shape tone={isGrave ? 'bad' : 'wait'} /> {value.data.length}
    </>
  )
}
