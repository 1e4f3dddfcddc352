import { useProblems } from '../../data/problems'
import { Shape } from '../../ui'

/** Badge with the number of problems; empty when there are none, and when all are muted. */
export function ProblemBadge() {
  const { value } = useProblems().now
  const heard = value.is === 'ready' ? value.data.filter(({ muted }) => muted === null) : []
  if (heard.length === 0) return null
  const isGrave = heard.some(({ severity }) => severity === 'error')
  return (
    <>
      <Shape tone={isGrave ? 'bad' : 'wait'} /> {heard.length}
    </>
  )
}
