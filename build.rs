use std::{env, fs, path::Path, process::Command};

/// Lets the linker keep one of functions that came out the same: generic code of the validator is there for two kinds of JSON, and a twelfth of the
/// binary is such doubles. Nothing here compares functions by address.
const FOLD: &str = "-Wl,--icf=all";

fn main() {
    napi_build::setup();
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    if env::var("PROFILE").as_deref() == Ok("release") && linker_takes(FOLD) == Some(true) {
        println!("cargo:rustc-cdylib-link-arg={FOLD}");
    }
}

/// Whether the linker that cargo will use knows `option`, which lld and mold do: found out by linking a library of nothing.
fn linker_takes(option: &str) -> Option<bool> {
    let out = env::var_os("OUT_DIR")?;
    let source = Path::new(&out).join("probe.rs");
    fs::write(&source, "").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.args(["--crate-type", "cdylib", "--crate-name", "probe", "-C"]).arg(format!("link-arg={option}"));
    rustc.arg("--target").arg(env::var_os("TARGET")?).arg("--out-dir").arg(&out).arg(&source);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut argument = std::ffi::OsString::from("linker=");
        argument.push(linker);
        rustc.arg("-C").arg(argument);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.output().ok().map(|output| output.status.success())
}
