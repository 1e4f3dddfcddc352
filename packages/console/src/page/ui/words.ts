/** Returns a past duration in words: `3 min ago`. */
export function ago(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 2) return 'just now'
  // After a minute, seconds are left out; after an hour, minutes are left out.
  return `${span(seconds < 60 ? seconds : seconds < 3_600 ? seconds - (seconds % 60) : seconds - (seconds % 3_600))} ago`
}

/** Returns a number of seconds as text: `48 s`, `3 min`, `2 h 5 min`, `4 d`. */
export function span(seconds: number): string {
  if (seconds < 10 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return minutes < 10 && whole % 60 > 0 ? `${minutes} min ${whole % 60} s` : `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d`
}

/** Returns a count with its noun: `1 player`, `12 players`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`

export const number = (value: number): string => value.toLocaleString('en-US')
