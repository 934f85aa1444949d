"""Events, destinations, filters, accounts, roles, login messages, figures."""

from checks import check, same, true, within
from lab import SVM, change, connection, fresh, names, reads, refused, value
from netapp_ontap.resources import (
    Account,
    Autosupport,
    Cluster,
    CounterRow,
    CounterTable,
    EmsApplicationLog,
    EmsConfig,
    EmsDestination,
    EmsEvent,
    EmsFilter,
    EmsFilterRule,
    EmsMessage,
    LoginMessages,
    Lun,
    PerformanceLunMetric,
    PerformanceMetric,
    PerformanceNamespaceMetric,
    Role,
    RolePrivilege,
    VolumeMetrics,
)

STATES = [
    "ok",
    "error",
    "partial_no_data",
    "partial_no_response",
    "partial_other_error",
    "negative_delta",
    "not_found",
    "backfilled_data",
    "inconsistent_delta_time",
    "inconsistent_old_data",
    "partial_no_uuid",
]


def events(lab):
    with check("ems: events, the newest first"):
        found = list(EmsEvent.get_collection(fields="*", order_by="time desc", max_records=50))
        for event in found:
            true(event.index > 0 and value(event, "message.name") and value(event, "node.name") in lab.nodes, f"event {event.to_dict()}")
        same([event.time for event in found], sorted((event.time for event in found), reverse=True), "the times")
    with check("ems: the catalogue has messages with a severity"):
        found = list(EmsMessage.get_collection(fields="name,severity", max_records=50))
        true(found and all(each.severity for each in found), f"{len(found)} messages")
    with check("ems: the configuration"):
        config = EmsConfig()
        config.get(fields="*")
        true(value(config, "mail_from") is not None, f"configuration is {config.to_dict()}")
    with check("ems: a filter with rules is created and changed"):
        made = EmsFilter(
            name="aggregate-full", rules=[{"type": "include", "message_criteria": {"name_pattern": "monitor.*", "severities": "emergency,alert"}}]
        )
        made.post(hydrate=True)
        rules = value(made, "rules")
        same([rule["type"] for rule in rules], ["include", "exclude"], "the rules, the one that ends them included")
        EmsFilterRule("aggregate-full", type="exclude", message_criteria={"name_pattern": "callhome.*"}).post()
        same(EmsFilterRule.count_collection("aggregate-full"), 3, "the number of rules")
    with check("ems: a destination is created, changed and deleted"):
        made = EmsDestination(name="ops", type="email", destination="ops@example.com", filters=[{"name": "aggregate-full"}])
        made.post(hydrate=True)
        same((made.type, made.destination, names(made.filters)), ("email", "ops@example.com", ["aggregate-full"]), "destination")
        change(EmsDestination(name="ops"), destination="team@example.com")
        reads(EmsDestination(name="ops"), destination="team@example.com", type="email")
        EmsDestination(name="ops").delete()
        EmsFilter(name="aggregate-full").delete()
        same(EmsDestination.count_collection(name="ops") + EmsFilter.count_collection(name="aggregate-full"), 0, "what is left")
    with check("ems: an application's event"):
        EmsApplicationLog(
            computer_name="host1",
            event_source="workflow",
            app_version="1",
            event_id=1,
            category="test",
            event_description="hello",
            severity="notice",
            autosupport_required=False,
        ).post()
    with check("autosupport: the configuration"):
        config = Autosupport()
        config.get(fields="*")
        true(isinstance(config.enabled, bool), f"enabled is {config.enabled!r}")


def accounts(lab):
    with check("role: created with privileges"):
        role = Role(name="san", privileges=[{"path": "/api/storage/luns", "access": "all"}, {"path": "/api/cluster", "access": "readonly"}])
        role.post()
        role = fresh(Role, name="san")
        same(
            {each["path"]: each["access"] for each in value(role, "privileges")},
            {"/api/storage/luns": "all", "/api/cluster": "readonly"},
            "privileges",
        )
        lab.role = role
    with check("role: a privilege is added and removed"):
        owner = value(lab.role, "owner.uuid")
        RolePrivilege(owner, "san", path="/api/storage/volumes", access="readonly").post()
        same(RolePrivilege.count_collection(owner, "san"), 3, "the number of privileges")
        RolePrivilege(owner, "san", path="/api/storage/volumes").delete()
        same(RolePrivilege.count_collection(owner, "san"), 2, "the number of privileges")
    with check("account: created, may log in"):
        application = {"application": "http", "authentication_methods": ["password"]}
        Account(name="watcher", role={"name": "readonly"}, password="Watch-closely-7", applications=[application]).post()
        account = fresh(Account, name="watcher")
        same((value(account, "role.name"), account.locked, account.scope), ("readonly", False, "cluster"), "account")
        lab.account = account
        with connection(user="watcher", password="Watch-closely-7"):
            cluster = Cluster()
            cluster.get()
            same(cluster.name, "lab", "name")
    with check("account: a role that only reads may not write"):
        with connection(user="watcher", password="Watch-closely-7"):
            refused([6, 6691623], 403, lambda: Lun(name="/vol/thin/x", svm={"name": SVM}, os_type="linux", space={"size": 2**30}).post())
    with check("account: a wrong password is refused"):
        with connection(user="watcher", password="something else"):
            refused([6691623, 6], 401, lambda: Cluster().get())
    with check("account: locked, and deleted"):
        keys = {"owner": {"uuid": value(lab.account, "owner.uuid")}, "name": "watcher"}
        change(Account(**keys), locked=True, comment="locked")
        reads(Account(**keys), locked=True, comment="locked")
        Account(**keys).delete()
        same(Account.count_collection(name="watcher"), 0, "what is left")
    with check("role: deleted; a built-in one is not"):
        Role(owner={"uuid": value(lab.role, "owner.uuid")}, name="san").delete()
        same(Role.count_collection(name="san"), 0, "what is left")
        within("admin", names(Role.get_collection()), "the roles")
    with check("login messages: the banner of the cluster is changed, and changed back"):
        messages = fresh(LoginMessages, scope="cluster")
        change(LoginMessages(uuid=messages.uuid), banner="For work only.")
        true(reads(LoginMessages(uuid=messages.uuid)).banner.strip() == "For work only.", "the banner is another")
        change(LoginMessages(uuid=messages.uuid), banner="")


def figures(lab):
    for what, kind, made in (
        ("volume", VolumeMetrics, lambda: lab.thick),
        ("aggregate", PerformanceMetric, lambda: lab.aggregate),
        ("lun", PerformanceLunMetric, lambda: lab.lun),
        ("namespace", PerformanceNamespaceMetric, lambda: lab.namespace),
    ):
        with check(f"metrics: of a {what}"):
            for sample in kind.get_collection(made().uuid, interval="1h", fields="*"):
                same(sample.duration, "PT15S", "duration")
                within(sample.status, STATES, "the states")
                true(value(sample, "iops.total") >= 0, f"iops is {value(sample, 'iops')}")
    with check("statistics: raw counters of a LUN do not fall"):
        seen = []
        for _ in range(2):
            lab.lun.get(fields="statistics")
            seen.append((value(lab.lun, "statistics.iops_raw.total"), value(lab.lun, "statistics.throughput_raw.total")))
        true(all(isinstance(number, int) for pair in seen for number in pair), f"statistics are {seen}")
        true(seen[0][0] <= seen[1][0] and seen[0][1] <= seen[1][1], f"they fell: {seen}")
    with check("counter tables: lun, volume and system"):
        present = names(CounterTable.get_collection())
        for name in ("lun", "volume", "system:node"):
            within(name, present, "the tables")
    with check("counter tables: the schema's denominators are counters of the table"):
        table = CounterTable(name="lun")
        table.get(fields="*")
        schemas = {each["name"]: each for each in value(table, "counter_schemas")}
        within("read_ops", schemas, "the counters")
        for each in schemas.values():
            base = (each.get("denominator") or {}).get("name")
            true(base is None or base in schemas, f"{each['name']} is divided by {base}")
    with check("counter tables: a row for each LUN"):
        rows = list(CounterRow.get_collection("lun", fields="*"))
        within(
            lab.lun.name,
            [prop["value"] for row in rows for prop in value(row, "properties") if prop["name"] == "name"] + [row.id for row in rows],
            "the rows",
        )
    with check("counter tables: an unknown one"):
        refused([8585320], [404, 400], lambda: CounterTable(name="nothing").get())
