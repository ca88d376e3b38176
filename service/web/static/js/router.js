// Addresses and what is shown at them; links inside the page do not load it anew.
let shown = null; // the path of what is shown

export class Router {
  /** `routes` are pairs of a pattern of the path and a view; `show` gets the view and what the pattern found. */
  constructor(routes, show) {
    this.routes = routes;
    this.show = show;
    // Browsers tell of steps within a page too, as that to its content: these change nothing that is shown.
    addEventListener('popstate', () => location.pathname === shown || this.open());
    document.addEventListener('click', (event) => this.click(event));
  }

  open() {
    const path = location.pathname;
    shown = path;
    for (const [pattern, view] of this.routes) {
      const found = pattern.exec(path);
      if (found) return this.show(view, found.slice(1), location.hash.slice(1));
    }
    return this.show(null, [], '');
  }

  go(path) {
    history.pushState(null, '', path);
    this.open();
    scrollTo(0, 0);
  }

  click(event) {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (url.hash && url.pathname === location.pathname) return;
    if (!this.routes.some(([pattern]) => pattern.test(url.pathname))) return;
    event.preventDefault();
    this.go(url.pathname + url.hash);
  }
}

/** Changes the address without showing anything else: what is shown now is found there. */
export function setAddress(path) {
  history.replaceState(null, '', path);
  shown = path;
}
