// Sets the theme before the first paint; the rest of the page comes as a module, which is later.
(() => {
  let chosen;
  try {
    chosen = localStorage.getItem('pinhole.theme');
  } catch {
    // Storage is closed to us: the system's theme holds.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
})();
