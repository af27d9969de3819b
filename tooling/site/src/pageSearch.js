/** In a browser: above the names that TypeDoc's search proposes, the parts of pages that have every word that is typed. */
const input = document.querySelector("#tsd-search-input")
const list = document.createElement("ul")
list.id = "page-search-results"
input?.after(list)

const base = document.documentElement.dataset.base ?? ""

/** The parts of all pages, from a script, as a page on disk may read no other file; asked for when somebody searches. */
const parts = () =>
  (loaded ??= new Promise((resolve) => {
    const script = document.createElement("script")
    script.src = `${base}assets/pages.js`
    script.addEventListener("load", () => resolve(window.sitePages))
    document.head.append(script)
  }))
let loaded

const has = (text, word) => text.toLowerCase().includes(word)

/** 0 where a word is missing. A word in a heading says more than one in a text. */
const scoreOf = ([, page, heading, text], words) => {
  const scores = words.map(
    (word) => (has(heading, word) ? 8 : 0) + (has(page, word) ? 4 : 0) + (has(text, word) ? 1 : 0),
  )
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/** Some words before and after the first that was found. */
const around = (text, word) => {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40)
  return `${at > 0 ? "…" : ""}${text.slice(at, at + 140)}`
}

const itemOf = ([url, page, heading, text], words) => {
  const item = document.createElement("li")
  const link = document.createElement("a")
  const title = document.createElement("strong")
  link.href = base + url
  title.textContent = heading === "" ? page : `${page} › ${heading}`
  link.append(title, document.createElement("br"), around(text, words.find((word) => has(text, word)) ?? ""))
  item.append(link)
  return item
}

input?.addEventListener("input", async () => {
  const typed = input.value
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = (words.length === 0 ? [] : await parts())
    .map((part) => ({ part, score: scoreOf(part, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
  // Somebody may have typed more while the parts were loaded.
  if (typed === input.value) list.replaceChildren(...found.slice(0, 8).map(({ part }) => itemOf(part, words)))
})

// The arrow keys choose among names; without a choice, the best part of a page is meant.
input?.addEventListener("keydown", ({ key }) => {
  if (key === "Enter" && !input.hasAttribute("aria-activedescendant")) list.querySelector("a")?.click()
})
