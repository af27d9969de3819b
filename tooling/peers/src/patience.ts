/** How long tests wait for servers and processes before they take them for hung: ten times what the slowest of them needs. */
export const patience = 300_000
