//! The charts in `docs/`: they are what the program draws.

use std::fs;

use crate::folder::Folder;
use crate::golden;
use crate::process::program;

/// Each file of `docs/`, and what is drawn there.
const CHARTS: [(&str, &str, &str); 2] = [
    ("data-reduction-latency.svg", "latency", "What data reduction costs: how long a transaction takes"),
    ("data-reduction-throughput.svg", "throughput", "What data reduction costs: how many transactions are completed"),
];

#[test]
fn the_charts_of_the_penalty_are_what_the_program_draws() {
    let folder = Folder::new();
    for (name, kind, title) in CHARTS {
        let file = folder.path().join(name);
        let mut command = program();
        command.args(["what-if", "--array", "af250", "--profile", "sqlserver-tpcc", "--users", "60000", "--compare", "data_reduction=off,on"]);
        command.args(["--chart", kind, "--title", title, "--svg"]).arg(&file);
        let output = command.output().expect("the program runs");
        let table = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success() && table.contains("22.2 % less throughput, 139 times the latency"), "{table}");
        golden::check(&format!("../docs/{name}"), &fs::read_to_string(&file).expect("a picture"));
    }
}
