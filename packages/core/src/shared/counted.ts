/** Returns a count with its noun: "1 launch", "3 launches". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
