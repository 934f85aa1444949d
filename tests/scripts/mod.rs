//! Script tests: operations in, the state of the array out, compared with a golden file beside the script.
//!
//! A script is a YAML file: what the array is (`model` or `scenario`, `seed`, `drives`) and `steps`. A step is an operation that must
//! be done, `refused: OPERATION` for one that must not, or `show: [SECTION, ..]` to print a part of the state on the way.

mod render;
mod script;

use script::Script;

macro_rules! scripts {
    ($($name:ident: $file:literal;)+) => {
        $( #[test]
        fn $name() {
            Script::check($file);
        } )+

        #[test]
        fn every_script_is_tested() {
            assert_eq!(Script::files(), { let mut known = vec![$($file.to_owned()),+]; known.sort(); known });
        }
    };
}

scripts! {
    a_new_af250_is_what_its_model_says: "new-af250";
    a_new_aff_is_what_its_model_says: "new-aff-a250";
    an_af250_is_set_up_on_day_one: "af250-day-one";
    a_thin_pool_tells_its_thresholds_and_refuses_when_full: "thin-pool-thresholds";
    data_reduction_follows_its_rules_and_ratios: "data-reduction";
    a_volume_is_striped_over_several_raid_groups: "wide-stripe";
    a_volume_migrates_and_a_migration_is_stopped: "migration-and-stop";
    a_format_empties_a_volume_and_takes_its_time: "format";
    many_volumes_get_numbered_names: "bulk-names";
    a_pool_grows_by_whole_raid_groups: "expand-pool";
    containers_are_frozen_cloned_restored_and_deleted: "aff-containers";
    what_stays_through_a_restore_keeps_its_number: "restore-keeps-numbers";
    hosts_reach_volumes_by_affinities_and_mappings: "connectivity";
    a_drive_fails_and_a_spare_takes_its_place: "drive-fails-with-spare";
    a_drive_fails_and_no_spare_is_there: "drive-fails-without-spare";
    two_drives_of_a_raid6_fail: "two-failures-in-raid6";
    a_drive_says_that_it_will_fail: "predictive-failure";
    a_raid_group_is_expanded: "expand-raid-group";
    an_unused_drive_of_an_aff_takes_the_place_of_one_that_fails: "aff-drive-fails";
    drives_are_pulled_and_put_back: "pull-and-put-back";
    jobs_wait_work_and_are_cancelled_by_the_clock: "jobs-and-clock";
}
